import { endpoint, endpoints, idParams } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { callApi, testApi } from '../../test/support/http/console.ts'
import { openApiShape, strangeKeywords } from '../../test/support/http/openapi.ts'
import { openApiDocument, openApiOf } from './openapi.ts'

interface Operation {
  operationId: string
  summary: string
  security: object[]
  parameters: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { content: object }
  responses: Record<string, { description: string }>
}
interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { securitySchemes: Record<string, object> }
}

const documentOf = (list: Parameters<typeof openApiOf>[0]) => openApiOf(list) as unknown as Document

/** Every object inside a value, whatever its depth. */
const objectsIn = (value: unknown): Record<string, unknown>[] => {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? inside : [value as Record<string, unknown>, ...inside]
}

describe('the OpenAPI document', () => {
  const document = openApiDocument() as unknown as Document
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

  it('has one operation per endpoint of the contract, each with an id of its own', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(operations).toHaveLength(endpoints.length)
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(endpoints.length)
  })

  it('names every parameter of a path, and only schemes and references that exist', () => {
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const named = operation.parameters.filter((parameter) => parameter.in === 'path')
      expect(named.map(({ name }) => name).toSorted()).toEqual(inPath.toSorted())
      expect(named.every(({ required }) => required)).toBe(true)
      expect(operation.summary).not.toBe('')
      const schemes = operation.security.flatMap((entry) => Object.keys(entry))
      expect(Object.keys(document.components.securitySchemes)).toEqual(expect.arrayContaining(schemes))
    }
    const references = objectsIn(document).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []))
    expect([...new Set(references)]).toEqual(['#/components/schemas/Failure'])
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })

  it('states requests and answers', () => {
    const made = documentOf([
      endpoint({
        method: 'PUT',
        path: '/api/thing/:id',
        access: 'admin',
        summary: 'Changes a thing',
        params: idParams,
        query: z.object({ force: z.string().optional() }),
        body: z.object({ name: z.string().max(20), size: z.int().default(3) }),
        data: z.object({ id: z.int() }),
      }),
    ])
    const operation = made.paths['/api/thing/{id}']?.put
    expect(operation?.parameters.map(({ name, required }) => [name, required])).toEqual([
      ['id', true],
      ['force', false],
    ])
    expect(operation?.requestBody).toMatchObject({
      content: { 'application/json': { schema: { required: ['name'], properties: { name: { maxLength: 20 } } } } },
    })
    expect(operation?.responses[200]).toMatchObject({
      content: {
        'application/json': {
          schema: {
            anyOf: [
              { properties: { success: { const: true }, data: { properties: { id: { type: 'integer' } } } } },
              { $ref: '#/components/schemas/Failure' },
            ],
          },
        },
      },
    })
  })

  it('has the shape that OpenAPI 3.1 asks for', () => {
    const { error } = openApiShape.safeParse(document)
    expect(error?.issues).toBeUndefined()
    const names = operations.map(({ path, operation }) => [
      path,
      operation.parameters.map(({ name, in: place }) => `${place} ${name}`),
    ])
    for (const [, parameters] of names) expect(new Set(parameters).size).toBe(parameters?.length)
    const templates = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'))
    expect(new Set(templates).size).toBe(templates.length)
  })

  it('describes every schema in JSON Schema of the dialect that OpenAPI 3.1 speaks', () => {
    const strange = objectsIn(document)
      .filter((entry) => 'schema' in entry)
      .flatMap(({ schema }) => strangeKeywords(schema))
    expect(strange).toEqual([])
  })

  it('says what files are, beside the refusals that come instead', () => {
    const contentOf = (path: string) =>
      (document.paths[path]?.get?.responses[200] as { content?: Record<string, { schema: object }> } | undefined)
        ?.content
    const log = contentOf('/api/log/export')
    expect(Object.keys(log ?? {})).toEqual(['text/csv', 'application/json'])
    expect(log?.['application/json']?.schema).toEqual({
      anyOf: [{ type: 'array', items: { type: 'object' } }, { $ref: '#/components/schemas/Failure' }],
    })
    const picture = contentOf('/api/mj/image/{id}')
    expect(Object.keys(picture ?? {})).toEqual(['image/*', 'application/json'])
    expect(picture?.['application/json']?.schema).toEqual({ $ref: '#/components/schemas/Failure' })
  })

  it('says what refusals look like, and which calls refuse with which status', () => {
    const { Failure } = (document as unknown as { components: { schemas: { Failure: { required: string[] } } } })
      .components.schemas
    expect(Failure.required).toEqual(['success', 'message', 'code', 'request_id'])
    const statusesOf = (path: string, method: string) => Object.keys(document.paths[path]?.[method]?.responses ?? {})
    expect(statusesOf('/api/option/', 'put')).toEqual(['200', '400', '401', '403', '405', '413', '429', '500'])
    expect(statusesOf('/api/status', 'get')).toEqual(['200', '403', '429', '500'])
  })

  it('is served to everyone', async () => {
    const api = testApi({ callers: { bySession: async () => undefined, byAccessToken: async () => undefined } })
    const answer = await callApi(api, 'GET', '/api/openapi.json')
    expect(answer.json).toEqual(document)
  })
})
