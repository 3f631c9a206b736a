import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderConsole } from '../test/render-console.tsx'
import { Markdown } from './markdown.tsx'
import { SafeHtml } from './safe-html.tsx'

it('never reads HTML in an answer', async () => {
  const { container } = await renderConsole(
    <Markdown text={'<script>alert(1)</script> <img src=x onerror=alert(1)> [go](javascript:alert(1))'} />,
  )
  expect(container.querySelector('script, img, a')).toBeNull()
  expect(container.textContent).toContain('<script>alert(1)</script>')
})

it('opens links outside, without handing over the page', async () => {
  await renderConsole(<Markdown text="[docs](https://example.com)" />)
  const link = screen.getByRole('link', { name: 'docs' })
  expect(link.getAttribute('href')).toBe('https://example.com')
  expect(link.getAttribute('rel')).toContain('noopener')
})

it('keeps an operator’s marks and drops what runs', async () => {
  const { container } = await renderConsole(
    <SafeHtml
      html={
        '<b>Acme</b> <a href="javascript:alert(1)" onclick="x()">a</a><a href="https://a.example">b</a><script>1</script><iframe src="//x"></iframe><marquee>c</marquee>'
      }
    />,
  )
  expect(container.querySelector('b')?.textContent).toBe('Acme')
  expect(container.querySelector('script, iframe, marquee, [onclick], [href^=javascript]')).toBeNull()
  expect(screen.getByRole('link', { name: 'b' }).getAttribute('href')).toBe('https://a.example')
  expect(container.textContent).toContain('c')
})
