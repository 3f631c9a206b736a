import { screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import { renderConsole } from '../../test/render-console.tsx'
import { Markdown } from './markdown.tsx'
import { SafeHtml } from './safe-html.tsx'

/** Ways to make HTML run that have worked somewhere. Each ends with a word that must still be readable. */
const attacks = [
  '<script>window.ran=1</script>end',
  '<img src=x onerror="window.ran=1">end',
  '<svg onload="window.ran=1"><script>window.ran=1</script></svg>end',
  '<svg><a xlink:href="javascript:window.ran=1"><text>x</text></a></svg>end',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.ran=1&gt;">end',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=window.ran=1>end',
  '<noscript><p title="</noscript><img src=x onerror=window.ran=1>">end',
  '<a href="javascript:window.ran=1">end</a>',
  '<a href="java\tscript:window.ran=1">end</a>',
  '<a href=" &#x6A;avascript:window.ran=1">end</a>',
  '<a href="data:text/html,<script>1</script>">end</a>',
  '<a href="vbscript:msgbox(1)">end</a>',
  '<img src="javascript:window.ran=1">end',
  '<img src="data:image/svg+xml,<svg onload=alert(1)>">end',
  '<img srcset="x 1x" src="file:///etc/passwd">end',
  '<iframe src="javascript:window.ran=1"></iframe>end',
  '<iframe srcdoc="<script>window.ran=1</script>"></iframe>end',
  '<object data="data:text/html,1"></object><embed src="//x">end',
  '<style>body{background:url(//x)}</style>end',
  '<p style="position:fixed;inset:0">end</p>',
  '<form action="//x"><input name=q><button>go</button></form>end',
  '<input onfocus="window.ran=1" autofocus>end',
  '<details open ontoggle="window.ran=1">end</details>',
  '<base href="//x"><link rel=stylesheet href="//x"><meta http-equiv=refresh content="0;url=//x">end',
  '<template><script>window.ran=1</script></template>end',
  '<video src=x onerror="window.ran=1"></video><audio autoplay onplay=1></audio>end',
  '<p id="status" name="body" class="secret" data-x="1">end</p>',
  '<a href="//evil.example">end</a>',
]

const forbidden =
  'script, style, svg, math, iframe, object, embed, form, input, button:not(.text-button), base, link, meta, template, video, audio, [style], [id=status], [name], [srcset], [data-x], .secret'

/** Attributes that run code or load resources. */
const dangerous = (container: Element): string[] =>
  [...container.querySelectorAll('*')].flatMap((element) =>
    [...element.attributes]
      .filter(
        ({ name, value }) =>
          name.startsWith('on') ||
          (/^(href|src)$/.test(name) && !/^(https?:\/\/|mailto:|\/[^/]|data:image\/png)/.test(value)),
      )
      .map(({ name, value }) => `${name}=${value}`),
  )

/** The text alone, without what the theme puts beside it. */
const drawn = async (text: ReactNode): Promise<Element> => {
  await renderConsole(<section aria-label="text">{text}</section>)
  await screen.findByText('start', { selector: 'p, section > div' })
  return screen.getByRole('region', { name: 'text' })
}

it.each(attacks)('runs nothing of an operator’s text: %s', async (html) => {
  const container = await drawn(<SafeHtml html={`<div>start</div>${html}`} />)
  expect(container.textContent).toContain('start')
  expect(container.querySelector(forbidden)).toBeNull()
  expect(dangerous(container)).toEqual([])
  expect(Reflect.get(window, 'ran')).toBeUndefined()
})

it.each(attacks)('runs nothing of an answer: %s', async (html) => {
  const container = await drawn(<Markdown text={`start\n\n${html}`} />)
  expect(container.querySelector(forbidden)).toBeNull()
  expect(dangerous(container)).toEqual([])
})

it.each([
  '[end](javascript:alert(1))',
  '[end](data:text/html,1)',
  '[end](<java\nscript:alert(1)>)',
  '![end](javascript:alert(1))',
  '[end][x]\n\n[x]: javascript:alert(1)',
  '<javascript:alert(1)>',
])('makes no link of a dangerous address in Markdown: %s', async (text) => {
  const container = await drawn(<Markdown text={`start\n\n${text}`} />)
  expect(dangerous(container)).toEqual([])
})

it('opens links outside, without handing over the page', async () => {
  await renderConsole(<Markdown text="[docs](https://example.com)" />)
  const link = await screen.findByRole('link', { name: 'docs' })
  expect(link.getAttribute('href')).toBe('https://example.com')
  expect(link.getAttribute('rel')).toBe('noopener noreferrer')
  expect(link.getAttribute('target')).toBe('_blank')
})

it('keeps what an operator may use: marks, links, pictures, tables, folding', async () => {
  const { container } = await renderConsole(
    <SafeHtml html='<b>Acme</b> <a href="/pricing">prices</a> <img src="/logo.png" alt="logo" width="40"><table><tr><td colspan="2">c</td></tr></table><details open><summary>s</summary>t</details><font>kept</font>' />,
  )
  expect((await screen.findByRole('link', { name: 'prices' })).getAttribute('href')).toBe('/pricing')
  expect(container.querySelector('b')?.textContent).toBe('Acme')
  expect(screen.getByRole('img', { name: 'logo' }).getAttribute('width')).toBe('40')
  expect(container.querySelector('td')?.getAttribute('colspan')).toBe('2')
  expect(container.querySelector('details')?.open).toBe(true)
  expect(container.textContent).toContain('kept')
})

it('gives code its language, its colours and a copy button, also inside a list', async () => {
  const { container } = await renderConsole(<Markdown text={'1. do\n\n   ```ts\n   const a = "x<y"\n   ```'} />)
  await waitFor(() => expect(container.querySelector('pre .hljs-keyword')?.textContent).toBe('const'))
  expect(container.querySelector('li pre')?.textContent).toBe('const a = "x<y"')
  expect(container.querySelector('pre .hljs-string')?.textContent).toBe('"x<y"')
  expect(screen.getByText('ts')).toBeTruthy()
  const copied = vi.fn(async (_text: string) => undefined)
  vi.stubGlobal('navigator', { ...window.navigator, clipboard: { writeText: copied } })
  screen.getByRole('button', { name: '复制' }).click()
  expect(copied).toHaveBeenCalledWith('const a = "x<y"')
})

it('shows code of a language that is not known as it is', async () => {
  const { container } = await renderConsole(<Markdown text={'```brainfuck\n+<->\n```'} />)
  await waitFor(() => expect(container.querySelector('pre')?.textContent).toBe('+<->'))
})
