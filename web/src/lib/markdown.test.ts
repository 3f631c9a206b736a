import { describe, expect, it } from 'vitest'
import { parseInline, parseMarkdown } from './markdown.ts'

describe('Markdown', () => {
  it('reads blocks: headings, lists, code, quotes, tables', () => {
    const text =
      '# Title\n\n1. one\n2. two\n   - inner\n\n```ts\nconst a = 1\n```\n> said\n\n| a | b |\n|---|--:|\n| 1 | 2 |'
    expect(parseMarkdown(text).map((block) => block.kind)).toEqual(['heading', 'list', 'code', 'quote', 'table'])
  })

  it('shows a fence that is still being written as code', () => {
    expect(parseMarkdown('```js\nlet a')).toEqual([{ kind: 'code', language: 'js', text: 'let a' }])
  })

  it('nests marks and leaves stars between words alone', () => {
    expect(parseInline('**a *b* c**')).toEqual([
      {
        kind: 'strong',
        children: [
          { kind: 'text', text: 'a ' },
          { kind: 'emphasis', children: [{ kind: 'text', text: 'b' }] },
          { kind: 'text', text: ' c' },
        ],
      },
    ])
    expect(parseInline('2 * 3 * 4 snake_case_name')).toEqual([{ kind: 'text', text: '2 * 3 * 4 snake_case_name' }])
  })

  it.each([
    '[x](javascript:alert(1))',
    '[x](data:text/html,1)',
    '![x](javascript:alert(1))',
    '![x](file:///etc/passwd)',
  ])('leaves dangerous addresses as text: %s', (text) => {
    expect(JSON.stringify(parseInline(text))).not.toMatch(/"kind":"(link|image)"/)
  })

  it('ends for any text', () => {
    for (const text of ['', '- ', '>', '|', '| - |\n|-', '***', '[[[', '```', '- a\n\n\n\n- b', '*'.repeat(2000)])
      expect(parseMarkdown(text)).toBeDefined()
  })
})
