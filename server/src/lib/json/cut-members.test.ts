import { describe, expect, it } from 'vitest'
import { cutMembers, type MemberPath } from './cut-members.ts'

const isSecret = (path: MemberPath): boolean =>
  path.at(-1) === 'secret' || path.join('.') === 'messages.*.content' || path.join('.') === 'a.b'

const cut = (text: string): string => cutMembers(text, isSecret)

describe('members that are cut out of a JSON text', () => {
  it('are replaced wherever they stand, whatever they hold', () => {
    expect(cut('{"secret":"x","n":1}')).toBe('{"secret":"[cut]","n":1}')
    expect(cut('{"n":[{"secret":{"a":["}"]}}],"m":2}')).toBe('{"n":[{"secret":"[cut]"}],"m":2}')
    expect(cut('{"a":{"b":12.5e3,"c":null}, "b": 1}')).toBe('{"a":{"b":"[cut]","c":null}, "b": 1}')
    expect(cut('{"messages":[{"role":"user","content":[{"text":"hi"}]},{"content":"x"}]}')).toBe(
      '{"messages":[{"role":"user","content":"[cut]"},{"content":"[cut]"}]}',
    )
  })

  it('are found by their names however these are written', () => {
    expect(cut('{"s\\u0065cret" : "a\\"b"}')).toBe('{"s\\u0065cret" : "[cut]"}')
  })

  it('are gone where the text ends in the middle of them', () => {
    for (const end of ['"x', '"x\\', '{"a":"x', '[1,{"b":', '12']) {
      const text = cut(`{"n":1,"secret":${end}`)
      expect(text).toBe('{"n":1,"secret":"[cut]"')
    }
  })

  it('leave everything else as it was', () => {
    for (const text of ['', '{', 'plain text, no JSON', '[1, 2', '{"n": "a\\"}', '}}]]', '"text"', '{"a" 1 : }']) {
      expect(cut(text)).toBe(text)
    }
  })
})
