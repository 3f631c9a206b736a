import { type Access, endpoints as contractEndpoints, type Endpoint, type Method } from '@tollgate/contract'
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

const envelope = (endpoint: Endpoint): Json => ({
  type: 'object',
  properties: {
    ...(endpoint.beside ? propertiesOf(endpoint.beside).properties : {}),
    success: { type: 'boolean' },
    message: { type: 'string' },
    ...(endpoint.data ? { data: schemaOf(endpoint.data, 'output') } : {}),
    code: { type: 'string', description: 'Name of the error; with failures only' },
    request_id: { type: 'string', description: 'With failures only' },
  },
  required: ['success', 'message'],
})

const json = (schema: Json): Json => ({ 'application/json': { schema } })

const operationId = (method: Method, path: string): string =>
  `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`

const operation = (endpoint: Endpoint): Json => ({
  operationId: operationId(endpoint.method, endpoint.path),
  summary: endpoint.summary,
  'x-access': endpoint.access,
  security: security[endpoint.access],
  parameters: [...parametersIn('path', endpoint.params), ...parametersIn('query', endpoint.query)],
  ...(endpoint.body ? { requestBody: { required: true, content: json(schemaOf(endpoint.body, 'input')) } } : {}),
  responses: {
    200: {
      description: 'The answer. Refusals are told by `success: false`, mostly with status 200.',
      content: json(envelope(endpoint)),
    },
    ...(security[endpoint.access].length > 0 ? { 401: { description: 'Not signed in' } } : {}),
    429: { description: 'Too many requests; the body is empty' },
  },
})

/** The OpenAPI 3.1 document of a list of endpoints; pure, so that `npm run docs` can print it. */
export const openApiOf = (endpoints: readonly Endpoint[]): Json => {
  const paths: Record<string, Record<string, Json>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tollgate console API', version: '1' },
    paths,
    components: {
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
