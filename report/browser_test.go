package report

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/wtsize/wtsize/estimate"
	"github.com/wtsize/wtsize/sampler/racetest"
)

var screens = flag.String("screens", "", "write screenshots and PDFs of the pages to this folder")

// browser starts headless Chromium, or skips the test where there is none.
func browser(t *testing.T) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Skip("no chromium in PATH: the page is not looked at by a browser")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.DisableGPU, chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("hide-scrollbars", false), chromedp.UserDataDir(browserFolder(t)),
		chromedp.WSURLReadTimeout(2*time.Minute)) // a busy machine starts it slowly
	alloc, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(alloc)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// browserFolder is removed with patience: Chromium's processes write for a while
// after the browser is told to stop.
func browserFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "wtsize-browser-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 50 {
			if os.RemoveAll(dir) == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	return dir
}

// watched collects what a page must not do.
type watched struct {
	sync.Mutex
	complaints []string
}

func (w *watched) add(format string, args ...any) {
	w.Lock()
	defer w.Unlock()
	w.complaints = append(w.complaints, fmt.Sprintf(format, args...))
}

func (w *watched) listen(ctx context.Context, home string) error {
	return chromedp.Listen(ctx, func(ev any) {
		switch e := ev.(type) {
		case *network.EventRequestWillBeSent:
			if url := e.Request.URL; url != home && !strings.HasPrefix(url, "data:") {
				w.add("requested %s", url)
			}
		case *log.EventEntryAdded:
			w.add("log: %s", e.Entry.Text)
		case *runtime.EventConsoleAPICalled:
			w.add("console: %s", e.Type)
		case *runtime.EventExceptionThrown:
			w.add("exception: %s", e.ExceptionDetails.Text)
		case *cdppage.EventJavascriptDialogOpening:
			w.add("dialog: %s", e.Message)
		}
	})
}

var viewports = []struct {
	name   string
	width  int64
	phone  bool
	scheme string
}{
	{"desktop-light", 1280, false, "light"},
	{"desktop-dark", 1280, false, "dark"},
	{"phone-light", 360, true, "light"},
	{"phone-dark", 390, true, "dark"},
}

// The page as a browser shows it: nothing requested, nothing complained of,
// nothing cut off or sticking out, all text there, readable in both schemes.
func TestPageInBrowser(t *testing.T) {
	racetest.OtherPrograms(t)
	ctx := browser(t)
	html := Options{Format: HTML, Explain: true}.normal()
	for _, p := range []struct {
		name   string
		result func() estimate.Result
	}{{"orders", madeOrders}, {"dump", madeDump}, {"hostile", madeHostile}, {"levels", madeLevels}} {
		t.Run(p.name, func(t *testing.T) {
			r := p.result()
			checkPage(ctx, t, p.name, rendered(t, r, html), layOut(r, html))
		})
	}
	t.Run("compare", func(t *testing.T) {
		a, b := madeOrders(), madeAfter()
		checkPage(ctx, t, "compare", sideBySide(t, a, b, CompareOptions{Options: html}), layOutComparison(compared(a, b, 0), a, b, html))
	})
}

func checkPage(ctx context.Context, t *testing.T, name, html string, l layout) {
	file := filepath.Join(t.TempDir(), "r.html")
	if err := os.WriteFile(file, []byte(html), 0o600); err != nil {
		t.Fatal(err)
	}
	tab, closeTab := chromedp.NewContext(ctx)
	defer closeTab()
	w := &watched{}
	home := "file://" + file
	if err := w.listen(tab, home); err != nil {
		t.Fatal(err)
	}
	run(t, tab, send(network.Enable, network.EnableParams{}), chromedp.Navigate(home))
	for _, v := range viewports {
		t.Run(v.name, func(t *testing.T) {
			run(t, tab, window(v.width, v.phone), media("screen", v.scheme))
			expectNone(t, tab, "sticks out of the page", overflowScript)
			expectNone(t, tab, "has too little contrast", contrastScript)
			screenshot(t, tab, name+"-"+v.name)
		})
	}
	t.Run("print", func(t *testing.T) {
		// An A4 page less the margins of the style sheet is 186 mm, or 703 CSS pixels.
		run(t, tab, window(703, false), media("print", "light"))
		if name != "hostile" {
			expectNone(t, tab, "sticks out of the printed page", overflowScript)
		}
		checkPDF(t, tab, name)
	})
	expectNone(t, tab, "breaks the rules of an accessible page", structureScript)
	checkText(t, tab, l)
	if len(w.complaints) > 0 {
		t.Errorf("the page did what it must not: %s", strings.Join(w.complaints, "; "))
	}
}

func run(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

func value[T any](t *testing.T, ctx context.Context, a chromedp.Action[T]) T {
	t.Helper()
	v, err := chromedp.Run(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// send makes an action of a protocol command without a result.
func send[P any](c cdp.Command[P, cdp.Empty], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

func window(width int64, phone bool) chromedp.Action[chromedp.Void] {
	return send(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: 900, DeviceScaleFactor: 1, Mobile: phone})
}

func media(kind, scheme string) chromedp.Action[chromedp.Void] {
	return send(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: kind,
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
}

// expectNone runs a script that lists what is wrong.
func expectNone(t *testing.T, ctx context.Context, what, script string) {
	t.Helper()
	for _, f := range value(t, ctx, chromedp.Evaluate[[]string](script)) {
		t.Errorf("%s: %s", what, f)
	}
}

// overflowScript lists elements that reach beyond the window, unless they are in
// a container that scrolls by itself.
const overflowScript = `(() => {
  const wide = document.documentElement.clientWidth, out = [];
  if (document.documentElement.scrollWidth > wide) out.push('the page: ' + document.documentElement.scrollWidth + ' > ' + wide);
  const scrolls = e => { for (; e; e = e.parentElement) { const o = getComputedStyle(e).overflowX; if (o === 'auto' || o === 'scroll' || o === 'hidden') return true; } return false; };
  for (const e of document.querySelectorAll('body *')) {
    if (e.matches('.skip') || e.closest('svg') && e.tagName !== 'svg') continue;
    const b = e.getBoundingClientRect();
    if (b.width > 0 && (b.right > wide + 1 || b.left < -1) && !scrolls(e.parentElement)) out.push(e.tagName + '.' + e.className + ' ends at ' + b.right);
  }
  for (const s of document.querySelectorAll('svg')) {
    const frame = s.getBoundingClientRect();
    if (frame.width === 0) continue;
    for (const e of s.querySelectorAll('text')) {
      const b = e.getBoundingClientRect();
      if (b.left < frame.left - 2 || b.right > frame.right + 2) out.push('text of a figure is cut: ' + e.textContent);
    }
  }
  return out.slice(0, 8);
})()`

// contrastScript holds text against its background: 4.5 to 1 at least, as WCAG
// 2.2 asks for text of this size.
const contrastScript = `(() => {
  const parse = c => c.match(/[\d.]+/g).map(Number);
  const lum = c => { const f = c.slice(0, 3).map(v => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2]; };
  const back = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
  const out = new Set();
  for (const e of document.querySelectorAll('p, li, dt, dd, th, td, a, caption, figcaption, code, .badge, .unit, .tiles span, svg text')) {
    if (!e.getClientRects().length) continue;
    const style = getComputedStyle(e);
    const a = lum(parse(e.tagName === 'text' ? style.fill : style.color)), b = lum(back(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) out.add(e.tagName + '.' + (e.className.baseVal ?? e.className) + ' ' + ratio.toFixed(2) + ' ' + style.fill);
  }
  return [...out].slice(0, 8);
})()`

// structureScript checks what screen readers go by.
const structureScript = `(() => {
  const out = [], ids = new Set();
  for (const e of document.querySelectorAll('[id]')) { if (ids.has(e.id)) out.push('id used twice: ' + e.id); ids.add(e.id); }
  for (const e of document.querySelectorAll('[aria-labelledby]'))
    for (const id of e.getAttribute('aria-labelledby').split(' ')) if (!document.getElementById(id)?.textContent.trim()) out.push('no text for ' + id);
  for (const a of document.querySelectorAll('a[href^="#"]')) if (!document.getElementById(a.getAttribute('href').slice(1))) out.push('dead link ' + a.getAttribute('href'));
  for (const t of document.querySelectorAll('table')) {
    if (!t.caption?.textContent.trim()) out.push('table without caption');
    for (const h of t.querySelectorAll('th')) if (!h.scope) out.push('th without scope: ' + h.textContent);
    for (const r of t.rows) if (r.cells.length !== t.rows[0].cells.length) out.push('ragged row: ' + r.textContent);
  }
  for (const s of document.querySelectorAll('svg')) if (s.getAttribute('role') !== 'img' || !s.querySelector('title') || !s.querySelector('desc')) out.push('figure without a description');
  let level = 0;
  for (const h of document.querySelectorAll('h1, h2, h3, h4')) { const n = +h.tagName[1]; if (n > level + 1) out.push('heading skips a level: ' + h.textContent); level = n; }
  if (document.querySelectorAll('h1').length !== 1 || document.querySelectorAll('main').length !== 1) out.push('not one h1 and one main');
  if (!document.documentElement.lang) out.push('no language');
  if (document.querySelector('script, link[rel=stylesheet], img, iframe, object')) out.push('loads something');
  return out.slice(0, 8);
})()`

func checkPDF(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	pdf := value(t, ctx, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4), chromedp.PDFPreferCSSPageSize()))
	if !strings.HasPrefix(string(pdf), "%PDF-") || len(pdf) < 10_000 {
		t.Errorf("printing gave %d bytes that are no PDF", len(pdf))
	}
	save(t, name+".pdf", pdf)
}

func screenshot(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	if *screens == "" {
		return
	}
	save(t, name+".png", value(t, ctx, chromedp.FullScreenshot(100)))
}

func save(t *testing.T, name string, data []byte) {
	t.Helper()
	if *screens == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(*screens, name), data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkText looks for every text of the layout in what the browser shows.
func checkText(t *testing.T, ctx context.Context, l layout) {
	t.Helper()
	run(t, ctx, window(1280, false), media("screen", "light"))
	shown := squeeze(value(t, ctx, chromedp.Evaluate[string](`document.body.innerText`)))
	for _, want := range layoutTexts(l) {
		if !strings.Contains(shown, squeeze(want)) {
			quoted, _ := json.Marshal(want)
			t.Errorf("the page does not show %s", quoted)
		}
	}
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

func layoutTexts(l layout) []string {
	out := append([]string{}, l.notes...)
	for _, s := range l.sections {
		out = append(out, s.title)
		for _, b := range s.blocks {
			switch b := b.(type) {
			case facts:
				for _, f := range b {
					out = append(out, f.label, f.text)
				}
			case para:
				out = append(out, b.text)
			case bullets:
				out = append(out, b...)
			case commands:
				for _, r := range b {
					out = append(append(out, r.texts...), r.lines...)
				}
			case grid:
				for _, c := range b.columns {
					out = append(out, c.heading(), c.unit)
				}
				for _, r := range append(b.rows, b.foot...) {
					out = append(out, r.cells...)
				}
			case figure:
				out = append(out, b.title, b.text)
			}
		}
	}
	return out
}
