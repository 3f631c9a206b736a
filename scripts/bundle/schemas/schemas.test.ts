import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z as zod } from 'zod'
import { missingOfZod } from './when-used.ts'
import { z } from './zod.ts'

const root = join(import.meta.dirname, '../../..')

/** The same schema twice, as it is and made when it is used. */
type Zod = typeof zod
type Build = (z: Zod, parts: readonly zod.ZodType[]) => zod.ZodType

const leaves: readonly Build[] = [
  (z) => z.string().trim().min(1).max(5),
  (z) => z.string().regex(/^a/).optional(),
  (z) => z.int().positive().default(3),
  (z) => z.coerce.number().int().min(0).max(9).catch(0),
  (z) => z.boolean().nullable(),
  (z) => z.enum(['a', 'b']).nullish(),
  (z) => z.literal('a'),
  (z) => z.unknown(),
  (z) => z.string().transform((text) => text.length),
  (z) => z.number().refine((value) => value > 1, { error: 'small' }),
  (z) => z.email(),
  (z) => z.iso.date(),
  (z) => z.base64().max(8),
]

const joins: readonly Build[] = [
  (z, [a = z.null()]) => z.array(a).max(2),
  (z, [a = z.null(), b = z.null()]) => z.object({ a, b: b.optional() }),
  (z, [a = z.null(), b = z.null()]) => z.union([a, b]),
  (z, [a = z.null(), b = z.null()]) => z.tuple([a, b]),
  (z, [a = z.null()]) => z.record(z.string(), a),
  (z, [a = z.null(), b = z.null()]) => z.strictObject({ a }).extend({ b }).partial(),
  (z, [a = z.null()]) => z.object({ ...z.looseObject({ a }).shape, kind: z.literal('a').optional() }),
  (z, [a = z.null(), b = z.null()]) =>
    z.discriminatedUnion('kind', [z.object({ kind: z.literal('a'), a }), z.object({ kind: z.literal('b'), b })]),
  (z, [a = z.null()]) => z.lazy(() => a),
  (z, [a = z.null()]) => a.pipe(z.unknown()).readonly(),
]

interface Pair {
  readonly real: zod.ZodType
  readonly later: zod.ZodType
}

const asZod = z as unknown as Zod
const pairOf = (build: Build, parts: readonly Pair[]): Pair => ({
  real: build(
    zod,
    parts.map(({ real }) => real),
  ),
  later: build(
    asZod,
    parts.map(({ later }) => later),
  ),
})

const { pair } = fc.letrec<{ pair: Pair }>((tie) => ({
  pair: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom(...leaves).map((build) => pairOf(build, [])),
    fc
      .tuple(fc.constantFrom(...joins), fc.array(tie('pair'), { minLength: 2, maxLength: 2 }))
      .map(([build, parts]) => pairOf(build, parts)),
  ),
}))

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(
      'a',
      'b',
      'abcdef',
      '',
      '2026-01-01',
      'a@b.cc',
      'YQ==',
      0,
      3,
      12,
      1.5,
      true,
      null,
      undefined,
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')),
    fc.record({ kind: fc.constantFrom('a', 'b'), a: tie('value'), b: tie('value') }, { requiredKeys: ['kind'] }),
  ),
})).value

const outcomeOf = (schema: zod.ZodType, given: unknown): unknown => {
  const { success, data, error } = schema.safeParse(given)
  return success ? { data } : { issues: error.issues }
}

it('reads every value as the schemas that are made at once do', () => {
  fc.assert(
    fc.property(pair, value, ({ real, later }, given) => {
      expect(outcomeOf(later, given)).toEqual(outcomeOf(real, given))
    }),
    { numRuns: 400 },
  )
})

it('describes them in the same words', () => {
  fc.assert(
    fc.property(pair, ({ real, later }) => {
      const how = { io: 'input', unrepresentable: 'any' } as const
      expect(asZod.toJSONSchema(later, how)).toEqual(zod.toJSONSchema(real, how))
    }),
    { numRuns: 150 },
  )
})

it('makes a schema when something is asked of it, once', () => {
  const made: string[] = []
  const text = z.custom<string>((given) => made.push(String(given)) > 0)
  const fields = z.object({ text, list: z.array(text).optional() })
  expect(fields.shape).toBe(fields.shape)
  expect(fields instanceof zod.ZodObject).toBe(true)
  expect(fields.parse({ text: 'a' })).toEqual({ text: 'a' })
  expect(made).toEqual(['a'])
})

it('offers everything that the contract and the server take', () => {
  const modules = globSync(['{contract,server}/src/**/*.ts', 'modules/**/*.ts'], { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts'),
  )
  const missing = modules.flatMap((file) => missingOfZod(readFileSync(join(root, file), 'utf8')))
  expect(missing).toEqual([])
  expect(missingOfZod("import { z } from 'zod'\nconst a = z\n  .xor([z.string(), z.coerce.date()])")).toEqual([
    'xor',
    'coerce.date',
  ])
})
