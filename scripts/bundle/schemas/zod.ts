import { z as zod } from 'zod'
import { madeWhenUsed, withRealSchemas } from './made-when-used.ts'

/**
 * In place of zod in the server's bundle. The contract has some 7,000 schemas, most of them of answers, which only the OpenAPI
 * document asks for; to make them took a fifth of the start, and they stayed in memory. These are made when they are used.
 */
export const z = {
  array: madeWhenUsed(zod.array),
  base64: madeWhenUsed(zod.base64),
  boolean: madeWhenUsed(zod.boolean),
  coerce: { number: madeWhenUsed(zod.coerce.number) },
  custom: madeWhenUsed(zod.custom),
  discriminatedUnion: madeWhenUsed(zod.discriminatedUnion),
  email: madeWhenUsed(zod.email),
  enum: madeWhenUsed(zod.enum),
  int: madeWhenUsed(zod.int),
  iso: { date: madeWhenUsed(zod.iso.date), datetime: madeWhenUsed(zod.iso.datetime) },
  lazy: madeWhenUsed((get: () => zod.ZodType) => zod.lazy(() => withRealSchemas(get()) as zod.ZodType)),
  literal: madeWhenUsed(zod.literal),
  looseObject: madeWhenUsed(zod.looseObject),
  never: madeWhenUsed(zod.never),
  null: madeWhenUsed(zod.null),
  number: madeWhenUsed(zod.number),
  object: madeWhenUsed(zod.object),
  partialRecord: madeWhenUsed(zod.partialRecord),
  record: madeWhenUsed(zod.record),
  strictObject: madeWhenUsed(zod.strictObject),
  string: madeWhenUsed(zod.string),
  tuple: madeWhenUsed(zod.tuple),
  union: madeWhenUsed(zod.union),
  unknown: madeWhenUsed(zod.unknown),
  url: madeWhenUsed(zod.url),
  NEVER: zod.NEVER,
  ZodError: zod.ZodError,
  toJSONSchema: (schema: Parameters<typeof zod.toJSONSchema>[0], how?: Parameters<typeof zod.toJSONSchema>[1]) =>
    zod.toJSONSchema(withRealSchemas(schema) as Parameters<typeof zod.toJSONSchema>[0], how),
}
