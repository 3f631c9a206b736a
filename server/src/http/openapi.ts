import { type Access, endpoints as contractEndpoints, type Endpoint, isChange, type Method } from '@tollgate/contract'
import { z } from 'zod'

export const openApiPath = '/api/openapi.json'

type Json = Readonly<Record<string, unknown>>

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, '~standard': __, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return rest
}

const propertiesOf = (schema: z.ZodType | undefined): { properties: Json; required: readonly string[] } => {
  const { properties = {}, required = [] } = (schema ? schemaOf(schema, 'input') : {}) as Partial<{
    properties: Json
    required: readonly string[]
  }>
  return { properties, required }
}

const parametersIn = (place: 'path' | 'query', schema: z.ZodType | undefined): readonly Json[] => {
  const { properties, required } = propertiesOf(schema)
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

const withUserId = [
  { session: [], userId: [] },
  { accessToken: [], userId: [] },
]
const security: Readonly<Record<Access, readonly Json[]>> = {
  visitor: [],
  session: [{ session: [] }],
  user: withUserId,
  admin: withUserId,
  root: withUserId,
  token: [{ apiKey: [] }],
}

const success = (endpoint: Endpoint): Json => ({
  type: 'object',
  properties: {
    ...(endpoint.beside ? propertiesOf(endpoint.beside).properties : {}),
    success: { const: true },
    message: { type: 'string' },
    ...(endpoint.data ? { data: schemaOf(endpoint.data, 'output') } : {}),
  },
  required: ['success', 'message'],
})

const errorCode: Json = { type: 'string', description: 'Name of the error, the same in every language' }
const errorParams: Json = {
  type: 'object',
  description:
    'Figures, names and reasons within `message`, by name; only where there are any. `x_en` is `x` in English.',
  additionalProperties: { type: ['string', 'number'] },
}

const failure: Json = {
  type: 'object',
  description: 'A refusal. Most come with status 200; `message` follows Accept-Language.',
  properties: {
    success: { const: false },
    message: { type: 'string' },
    code: errorCode,
    params: errorParams,
    request_id: {
      type: 'string',
      description: 'Also in the header X-Oneapi-Request-Id; the log knows the cause by it',
    },
    data: { description: 'More about the refusal, where an endpoint has more to say' },
  },
  required: ['success', 'message', 'code', 'request_id'],
}

/** Answers without `success`, of which the text of a refusal stands in `data`, beside its `code`. */
const message = (endpoint: Endpoint): Json => ({
  type: 'object',
  properties: {
    ...(endpoint.beside ? propertiesOf(endpoint.beside).properties : {}),
    message: { enum: ['success', 'error'] },
    data: { anyOf: [endpoint.data ? schemaOf(endpoint.data, 'output') : {}, { type: 'string' }] },
    code: errorCode,
    params: errorParams,
  },
  required: ['message', 'data'],
})

const jsonType = 'application/json'
const json = (schema: Json): Json => ({ [jsonType]: { schema } })
const contentOf = (endpoint: Endpoint): Json => {
  if (endpoint.answers === 'text') return { 'text/plain': { schema: { enum: ['success', 'fail'] } } }
  if (endpoint.answers === 'file') return fileContent(endpoint.fileTypes ?? [])
  return json({ anyOf: [endpoint.answers === 'message' ? message(endpoint) : success(endpoint), failureSchema] })
}
/** A file, or the refusal that comes instead. */
const fileContent = (types: readonly string[]): Json => {
  const others = types.filter((type) => type !== jsonType)
  const file = { schema: { type: 'string', format: 'binary' } }
  const array = { type: 'array', items: { type: 'object' } }
  return {
    ...Object.fromEntries(others.map((type) => [type, file])),
    ...json(others.length < types.length ? { anyOf: [array, failureSchema] } : failureSchema),
  }
}
const bodyOf = (schema: z.ZodType, { form }: Endpoint): Json => ({
  [form ? 'application/x-www-form-urlencoded' : jsonType]: { schema: schemaOf(schema, 'input') },
})
const failureSchema: Json = { $ref: '#/components/schemas/Failure' }
const refusal = (description: string): Json => ({ description, content: json(failureSchema) })

const operationId = (method: Method, path: string): string =>
  `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`

const tagOf = (path: string): string => path.split('/')[2] ?? ''

const responsesOf = (endpoint: Endpoint): Json => {
  const closed = security[endpoint.access].length > 0
  return {
    200: {
      description: 'The answer. Refusals are told by `success: false`, mostly with status 200.',
      content: contentOf(endpoint),
    },
    ...(endpoint.unusableBodyStatus ? { [endpoint.unusableBodyStatus]: refusal('The body cannot be used') } : {}),
    ...(closed ? { 401: refusal('Not signed in, or the header New-Api-User is missing or wrong') } : {}),
    403: refusal('The call comes from another site'),
    ...(closed && isChange(endpoint) ? { 405: refusal('A demo site, where nothing can be changed') } : {}),
    ...(endpoint.body ? { 413: refusal('The body is too large') } : {}),
    429: { description: 'Too many requests; the body may be empty' },
    500: refusal('An internal error; the log knows more by the request id'),
  }
}

const operation = (endpoint: Endpoint): Json => ({
  operationId: operationId(endpoint.method, endpoint.path),
  tags: [tagOf(endpoint.path)],
  summary: endpoint.summary,
  'x-access': endpoint.access,
  ...(endpoint.confirm ? { 'x-confirm': endpoint.confirm } : {}),
  security: security[endpoint.access],
  parameters: [...parametersIn('path', endpoint.params), ...parametersIn('query', endpoint.query)],
  ...(endpoint.body ? { requestBody: { required: true, content: bodyOf(endpoint.body, endpoint) } } : {}),
  responses: responsesOf(endpoint),
})

/** The OpenAPI 3.1 document of a list of endpoints; pure, so that `npm run docs` can print it. */
export const openApiOf = (endpoints: readonly Endpoint[]): Json => {
  const paths = new Map<string, Record<string, Json>>()
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths.set(path, { ...paths.get(path), [endpoint.method.toLowerCase()]: operation(endpoint) })
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tollgate console API',
      version: '1',
      description: 'Every path is also answered without its final slash, or with one.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(endpoints.map(({ path }) => tagOf(path)))].toSorted().map((name) => ({ name })),
    paths: Object.fromEntries(paths),
    components: {
      schemas: { Failure: failure },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'session' },
        accessToken: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'System access token' },
        userId: { type: 'apiKey', in: 'header', name: 'New-Api-User', description: "The caller's user id" },
        apiKey: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

let made: Json | undefined

/** The document of the whole contract, made at the first call. */
export const openApiDocument = (): Json => {
  made ??= openApiOf(contractEndpoints)
  return made
}
