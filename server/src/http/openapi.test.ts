import { endpoint, endpoints, idParams } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openApiDocument, openApiOf } from './openapi.ts'
import { callApi, testApi } from './testing-console.ts'

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
    expect(objectsIn(document).filter((entry) => '$ref' in entry)).toEqual([])
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })

  it('tells what goes in and what comes out', () => {
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
        'application/json': { schema: { properties: { data: { properties: { id: { type: 'integer' } } } } } },
      },
    })
  })

  it('is served to everybody', async () => {
    const api = testApi({ callers: { bySession: async () => undefined, byAccessToken: async () => undefined } })
    const answer = await callApi(api, 'GET', '/api/openapi.json')
    expect(answer.json).toEqual(document)
  })
})
