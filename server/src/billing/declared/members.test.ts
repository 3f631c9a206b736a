import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import json from './members.json' with { type: 'json' }
import { declaredMembers } from './members.ts'
import plainNames from './plain-names.json' with { type: 'json' }
import requests from './request-members.json' with { type: 'json' }

const text = z.string().min(1)
const stated = {
  note: text.optional(),
  source: z.url({ protocol: /^https$/ }).optional(),
  includes: z.record(z.string(), z.array(text).min(1)).optional(),
  members: z.record(z.string().regex(/^[\w.*-]+$/), z.string().regex(/^(?:billed as .+|part of .+|informative)$/)),
}
const table = z.strictObject({
  about: text,
  parts: z.record(text, z.strictObject(stated)),
  dialects: z.record(z.string(), z.array(z.strictObject({ by: text, ...stated })).min(1)),
})

/** Paths that a row states itself and those of the parts that it includes; a path that stands twice would hide a meaning. */
const pathsOf = (row: z.output<typeof table>['parts'][string], parts: z.output<typeof table>['parts']): string[] => [
  ...Object.keys(row.members),
  ...Object.entries(row.includes ?? {}).flatMap(([below, names]) =>
    names.flatMap((name) => {
      const part = parts[name]
      return part === undefined ? [] : pathsOf(part, parts).map((path) => (below === '' ? path : `${below}.${path}`))
    }),
  ),
]

describe('the table of usage members', () => {
  const { parts, dialects } = table.parse(json)

  it('has the dialects that are read, and no others', () => {
    expect(Object.keys(dialects)).toEqual(Object.keys(declaredMembers))
  })

  it.each(Object.entries(dialects))('declares each member of a row of %s once', (_, rows) => {
    for (const row of rows) {
      const paths = pathsOf(row, parts)
      expect(paths.filter((path, at) => paths.indexOf(path) !== at)).toEqual([])
    }
  })

  it('includes every part somewhere', () => {
    const rows = [...Object.values(parts), ...Object.values(dialects).flat()]
    const used = new Set(rows.flatMap(({ includes = {} }) => Object.values(includes).flat()))
    expect([...used].sort()).toEqual(Object.keys(parts).sort())
  })

  it('puts the members of a part below the member that includes it', () => {
    const [first] = declaredMembers.openai
    expect(first?.members['prompt_tokens_details.cached_tokens']).toBe('billed as cache_read')
    const [message] = declaredMembers.anthropic
    expect(message?.members['iterations.cache_creation.ephemeral_1h_input_tokens']).toBe('billed as cache_write_1h')
    expect(message?.members.input_tokens).toBe('billed as input')
  })
})

it('names the documents of each request member', () => {
  for (const { source } of requests.rows) expect(source).toMatch(/^[\w.-]+\.\w+\//)
})

it('lists each plain name once, sorted; settings are members', () => {
  const { about: _about, ...lists } = plainNames
  for (const { names } of Object.values(lists)) expect(names).toEqual([...new Set(names)].sort())
  expect(lists.settings.names.filter((name) => !lists.members.names.includes(name))).toEqual([])
})
