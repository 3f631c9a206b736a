import {
  type Endpoint,
  getAbout,
  getHomePageContent,
  getNotice,
  getOffer,
  getStatus,
  testStatus,
} from '@tollgate/contract'
import { expect, it } from 'vitest'
import type { Call, EndpointAnswer, EndpointHandler, On } from '../../http/route.ts'
import { offerRoutes, type StatusRouteParts, statusRoutes } from './routes.ts'
import { openStatus } from './status.ts'

const status = openStatus({ version: 'v1', startTime: 1, values: () => ({}), identityProviders: () => [] })
const texts = { Notice: '# Hi', About: 'about', HomePageContent: 'home' }

/** Calls the handler of an endpoint without a caller, as for visitors. */
const ask = async (endpoint: Endpoint, parts: Partial<StatusRouteParts> = {}): Promise<EndpointAnswer<Endpoint>> => {
  const handlers = new Map<Endpoint, EndpointHandler<Endpoint>>()
  const on: On = (each, handler) => handlers.set(each, handler as unknown as EndpointHandler<Endpoint>)
  statusRoutes(on, { ...status, content: (key) => texts[key], databaseAnswers: async () => true, ...parts })
  const handler = handlers.get(endpoint)
  if (handler === undefined) throw new Error(`${endpoint.path} is not served`)
  return handler({} as Call<Endpoint>)
}

it.each([
  [getNotice, '# Hi'],
  [getAbout, 'about'],
  [getHomePageContent, 'home'],
] as const)('answers $path with the text of the operator', async (endpoint, text) => {
  expect(await ask(endpoint)).toEqual({ data: text })
})

it('answers the status', async () => {
  expect(await ask(getStatus)).toEqual({ data: status.statusObject() })
})

it('shows admins whether the database answers', async () => {
  expect(await ask(testStatus)).toEqual({ message: 'Server is running' })
  await expect(ask(testStatus, { databaseAnswers: async () => false })).rejects.toMatchObject({
    code: 'database_unreachable',
  })
})

it('shows visitors which calls are answered and how many models are served', async () => {
  const calls = [{ method: 'POST', path: '/v1/chat/completions', dialect: 'openai' }]
  const handlers = new Map<Endpoint, EndpointHandler<Endpoint>>()
  const on: On = (each, handler) => handlers.set(each, handler as unknown as EndpointHandler<Endpoint>)
  offerRoutes(on, { calls, models: () => ['gpt-4o', 'o3-mini'] })
  expect(getOffer.access).toBe('visitor')
  expect(await handlers.get(getOffer)?.({} as Call<Endpoint>)).toEqual({ data: { calls, models: 2 } })
})
