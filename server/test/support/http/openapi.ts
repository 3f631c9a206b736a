import { z } from 'zod'

/** The parts of the OpenAPI 3.1 specification that a document of ours may use; anything beside them is a mistake. */

const extended = (shape: z.ZodRawShape) =>
  z
    .looseObject(shape)
    .refine((value) => Object.keys(value).every((key) => Object.hasOwn(shape, key) || key.startsWith('x-')), {
      error: ({ input }) => `unknown field among ${Object.keys(input as object)}`,
    })

const schema = z.union([z.boolean(), z.record(z.string(), z.unknown())])
const mediaTypes = z.record(z.string().regex(/^[\w.+-]+\/[\w.+*-]+$/), extended({ schema }))
const response = extended({ description: z.string().min(1), content: mediaTypes.optional() })

const parameter = extended({
  name: z.string().min(1),
  in: z.enum(['path', 'query', 'header', 'cookie']),
  required: z.boolean(),
  description: z.string().optional(),
  schema,
}).refine((parameter) => parameter.in !== 'path' || parameter.required === true, 'a path parameter is required')

const operation = extended({
  operationId: z.string().regex(/^[a-z]\w+$/),
  tags: z.array(z.string().min(1)),
  summary: z.string().min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(parameter),
  requestBody: extended({ required: z.boolean(), content: mediaTypes }).optional(),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), response),
})

const securityScheme = z.union([
  extended({
    type: z.literal('apiKey'),
    in: z.enum(['query', 'header', 'cookie']),
    name: z.string(),
    description: z.string().optional(),
  }),
  extended({ type: z.literal('http'), scheme: z.string(), description: z.string().optional() }),
])

export const openApiShape = extended({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: extended({ title: z.string().min(1), version: z.string().min(1), description: z.string().optional() }),
  servers: z.array(extended({ url: z.string() })),
  tags: z.array(extended({ name: z.string().min(1) })),
  paths: z.record(z.string().startsWith('/'), z.partialRecord(z.enum(['get', 'put', 'post', 'delete']), operation)),
  components: extended({
    schemas: z.record(z.string().regex(/^[\w.-]+$/), schema),
    securitySchemes: z.record(z.string().regex(/^[\w.-]+$/), securityScheme),
  }),
})

/** Keywords of JSON Schema 2020-12 and what their values are. */
const keywords: Readonly<Record<string, 'schema' | 'schemas' | 'map' | 'plain'>> = {
  ...Object.fromEntries(
    ['items', 'additionalProperties', 'propertyNames', 'not', 'contains'].map((k) => [k, 'schema']),
  ),
  ...Object.fromEntries(['anyOf', 'oneOf', 'allOf', 'prefixItems'].map((k) => [k, 'schemas'])),
  ...Object.fromEntries(['properties', 'patternProperties', '$defs'].map((k) => [k, 'map'])),
  ...Object.fromEntries(
    `type const enum required format pattern description title default examples minimum maximum exclusiveMinimum
    exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems minProperties maxProperties $ref
    readOnly writeOnly contentEncoding contentMediaType`
      .split(/\s+/)
      .map((k) => [k, 'plain']),
  ),
}
const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

/** Names in a schema that JSON Schema does not know, whatever their depth, and types that do not exist. */
export const strangeKeywords = (schema: unknown): string[] => {
  if (typeof schema === 'boolean') return []
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    return [`no schema: ${JSON.stringify(schema)}`]
  return Object.entries(schema).flatMap(([name, value]) => {
    const kind = keywords[name]
    if (kind === undefined) return name.startsWith('x-') ? [] : [name]
    if (name === 'type' && ![value].flat().every((type) => types.includes(type))) return [`type ${String(value)}`]
    if (kind === 'schema') return strangeKeywords(value)
    if (kind === 'schemas') return (value as unknown[]).flatMap(strangeKeywords)
    if (kind === 'map') return Object.values(value as object).flatMap(strangeKeywords)
    return []
  })
}
