import { ApiError, httpError } from '../../../lib/api/api.ts'
import type { Envelope } from '../../../lib/api/contract.ts'
import { errorIn } from '../../../lib/i18n.ts'

/** The id that names a call in the log; empty where the answer has none. */
export const requestIdOf = (response: Response): string =>
  response.headers.get('x-oneapi-request-id') ?? response.headers.get('x-request-id') ?? ''

interface RefusalBody {
  error?: { message?: string; code?: string; type?: string }
  /** False in an envelope of the console. */
  success?: boolean
  message?: string
  code?: string
  params?: Envelope['params']
  request_id?: string
}

/** Why a call was refused: the relay says it as OpenAI does, the console's own checks with an envelope. */
const refusalIn = (body: RefusalBody, response: Response): ApiError => {
  const message = body.error?.message ?? body.message
  if (response.status === 401 || !message) return httpError(response.status, { message: message ?? '' })
  const code = body.error?.code ?? body.code ?? `http_${response.status}`
  // An upstream may have codes that are named like ours.
  const isOurs = body.error === undefined || body.error.type === 'new_api_error'
  return new ApiError(isOurs ? errorIn(code, message, body.params) : message, {
    code,
    status: response.status,
    requestId: body.request_id ?? requestIdOf(response),
  })
}

/** Reads why a call was refused. */
export const refusal = async (response: Response): Promise<ApiError> =>
  refusalIn((await response.json().catch(() => ({}))) as RefusalBody, response)

/** The JSON of an answer. Throws ApiError where it is an envelope with a refusal, which has status 200, too. */
export const readAnswer = async <Answer>(response: Response): Promise<Answer> => {
  const body = (await response.json()) as Answer & RefusalBody
  if (body.success === false) throw refusalIn(body, response)
  return body
}
