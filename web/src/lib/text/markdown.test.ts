import { describe, expect, it } from 'vitest'
import { createAnswerReader, pageHtml } from './markdown.ts'

const answer = `# Plan

Some *text* with \`code\`, a [link](https://example.com) and 2 * 3 * 4 snake_case_name.

1. one

   \`\`\`ts
   const a = 1
   \`\`\`
2. two
   - inner

> said
> more

| a | b |
|---|--:|
| 1 | 2 |

Heading
=======

#### Far below

text

## Nearer

### Below

more

## Nearer again

<div>html</div>

\`\`\`python
print("hi")

print(2)
\`\`\`

- [x] done
- [ ] open

See [the docs][d], H<sub>2</sub>O<br>and https://example.org.

[d]: https://example.com/docs
`

const htmlOf = (text: string): string =>
  createAnswerReader()(text)
    .map((block) => block.html)
    .join('')

describe('an answer', () => {
  it('is the same whether it came in one piece or letter by letter', () => {
    const read = createAnswerReader()
    let last = ''
    for (let end = 1; end <= answer.length; end += 1) {
      const text = answer.slice(0, end)
      last = read(text)
        .map((block) => block.html)
        .join('')
      expect(last).toBe(htmlOf(text))
    }
    expect(last).toContain('<a href="https://example.com/docs">the docs</a>')
    expect(last).toContain('<td align="right">2</td>')
  })

  it('keeps the blocks that are done, so that only the end is read again', () => {
    const read = createAnswerReader()
    const before = read('one\n\ntwo\n\nthr')
    read('one\n\ntwo\n\nthree')
    const after = read('one\n\ntwo\n\nthree')
    expect(after[0]).toBe(before[0])
    expect(after.map((block) => block.html)).toEqual(['<p>one</p>\n', '<p>two</p>\n', '<p>three</p>\n'])
  })

  it.each([
    ['## a\n\n# b', ['h2', 'h2']],
    ['# a\n\n#### b\n\n## c\n\n### d\n\n## e', ['h2', 'h3', 'h3', 'h4', 'h3']],
    ['### a\n\n### b\n\n> ##### c', ['h2', 'h2', 'h3']],
  ])('has headings below that of the page without a gap: %j', (text, levels) => {
    expect([...htmlOf(text).matchAll(/<(h\d)>/g)].map(([, level]) => level)).toEqual(levels)
  })

  it('is read anew when it is another text', () => {
    const read = createAnswerReader()
    read('one\n\ntwo\n\nthree')
    expect(read('other').map((block) => block.html)).toEqual(['<p>other</p>\n'])
  })

  it('shows HTML as text, except quiet marks inside a line', () => {
    expect(htmlOf('a <b>bold</b> <script>alert(1)</script><img src=x onerror=y>')).toBe(
      '<p>a <b>bold</b> &lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=y&gt;</p>\n',
    )
  })

  it('shows a fence that is still being written as code', () => {
    expect(htmlOf('```js\nlet a')).toBe('<pre><code class="language-js">let a\n</code></pre>\n')
  })
})

it('leaves the operator his HTML, and reads the Markdown around it', () => {
  expect(pageHtml('# Hi\n\n<center>\n\n*there*\n\n</center>')).toMatch(/<h1>Hi<\/h1>[\s\S]*<center>[\s\S]*<em>there/)
})
