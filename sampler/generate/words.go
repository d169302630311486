package generate

var (
	states = [...]string{"pending", "paid", "shipped", "delivered"}
	tags   = [...]string{"gift", "express", "vip", "bulk", "promo", "return"}

	cities = [...]string{
		"Hà Nội", "TP. Hồ Chí Minh", "Đà Nẵng", "Hải Phòng", "Cần Thơ", "Huế",
		"Nha Trang", "Đà Lạt", "Vũng Tàu", "Quy Nhơn", "Buôn Ma Thuột", "Biên Hòa",
	}

	streets = [...]string{
		"Nguyễn Huệ", "Lê Lợi", "Trần Hưng Đạo", "Hai Bà Trưng", "Lý Thường Kiệt", "Điện Biên Phủ",
		"Pasteur", "Nguyễn Trãi", "Phan Chu Trinh", "Bà Triệu", "Võ Văn Tần", "Cách Mạng Tháng Tám",
		"Nguyễn Thị Minh Khai", "Lê Duẩn", "Hùng Vương", "Quang Trung", "Phạm Ngũ Lão", "Bùi Viện",
		"Đồng Khởi", "Tôn Đức Thắng", "Nguyễn Du", "Lê Thánh Tôn", "Lý Tự Trọng", "Ngô Quyền",
		"Trần Phú", "Phan Đình Phùng", "Hoàng Diệu", "Nguyễn Văn Cừ", "Lạc Long Quân", "Âu Cơ",
		"Hoàng Hoa Thám", "Kim Mã", "Cầu Giấy", "Xuân Thủy", "Láng Hạ", "Giảng Võ",
		"Tây Sơn", "Chùa Bộc", "Thái Hà", "Đội Cấn", "Hàng Bông", "Hàng Gai",
		"Tràng Tiền", "Đinh Tiên Hoàng", "Lò Đúc", "Bạch Đằng", "Nguyễn Văn Linh", "Ông Ích Khiêm",
		"Hàm Nghi", "Yên Bái", "Thái Phiên", "Núi Thành", "Võ Nguyên Giáp", "Hoàng Sa",
		"Trường Sa", "Cộng Hòa", "Trường Chinh", "Âu Dương Lân", "Phan Xích Long", "Hoa Lan",
	}

	sentences = [...]string{
		"Giao giờ hành chính.", "Gọi trước khi giao.", "Để ở quầy bảo vệ.", "Hàng dễ vỡ.",
		"Không lấy hóa đơn.", "Khách đã trả tiền.", "Leave at the door.", "Gift, no price tag.",
		"Giao sau 18 giờ.", "Call on arrival.", "Đổi hàng trong 7 ngày.", "Gói quà giúp em.",
	}

	levels   = [...]string{"INFO", "INFO", "INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR"}
	services = [...]string{"gateway", "billing", "catalog", "search", "session", "mailer", "stock", "pricing"}
	routes   = [...]string{
		"/api/v1/orders", "/api/v1/orders/items", "/api/v1/users/me", "/api/v1/search", "/api/v1/cart",
		"/api/v1/cart/items", "/api/v1/prices", "/api/v1/stock", "/login", "/logout", "/static/app.js",
		"/static/app.css", "/health", "/api/v2/orders", "/api/v2/payments", "/api/v2/refunds",
	}
	messages = [...]string{
		"request served", "cache miss", "retry after timeout", "upstream closed", "slow query",
		"token renewed", "rate limited", "rejected",
	}

	// syllables make the words of generated vocabularies.
	syllables = [...]string{
		"ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "qui", "ro", "su", "ta",
		"ve", "wi", "xo", "yu", "za", "bre", "cli", "dro", "flu", "gra", "ple", "sti", "tro", "chu", "sha", "the",
	}
)
