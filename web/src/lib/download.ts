import type { Callable } from 'virtual:contract'
import type { Envelope } from '@tollgate/contract'
import { ApiError, httpError, request } from './api/api.ts'
import type { LooseParts } from './api/call-address.ts'
import { errorIn } from './i18n.ts'

/** Hands bytes to the browser as a file. */
const save = (name: string, content: Blob): void => {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Some browsers begin to read only after the click has been dealt with.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Calls an endpoint that answers with a file. Throws ApiError where it answers with a refusal. */
export const requestFile = async (endpoint: Callable, parts: LooseParts, signal?: AbortSignal): Promise<Response> => {
  const response = await request(endpoint, parts, signal)
  const isFile = response.headers.get('content-disposition')?.startsWith('attachment') === true
  if (response.ok && isFile) return response
  const envelope = (await response.json().catch(() => undefined)) as Envelope | undefined
  if (!response.ok || envelope === undefined) throw httpError(response.status, envelope)
  const facts = { code: envelope.code ?? 'refused', status: response.status, requestId: envelope.request_id ?? '' }
  throw new ApiError(errorIn(facts.code, envelope.message, envelope.params), facts)
}

/** Calls an endpoint that answers with a file and saves it. Throws ApiError. */
export const download = async (endpoint: Callable, parts: LooseParts, name: string): Promise<void> =>
  save(name, await (await requestFile(endpoint, parts)).blob())
