import type { IncomingHttpHeaders } from 'node:http'
import { ownMember } from '@tollgate/contract/own-member'
import type { Dialect } from '../../dialects/dialect.ts'
import { openaiLimitHeaders } from '../../dialects/openai-chat/limit-headers.ts'
import type { RelayCall } from '../../relay/call.ts'
import type { RequestContext } from '../request-context.ts'

/** Writes where limits stand into the head of the answer, as the client knows it. */
export const limitedBy = (
  { answerHeaders }: Pick<RequestContext, 'answerHeaders'>,
  dialect: Dialect | undefined,
): RelayCall['limited'] =>
  answerHeaders && ((gauges) => void answerHeaders.push(...(dialect?.limitHeaders ?? openaiLimitHeaders)(gauges)))

const nothingPassed: RelayCall['passed'] = {}

/** The client's headers that upstreams of its dialect want to see. */
export const passedHeaders = (headers: IncomingHttpHeaders, dialect: Dialect | undefined): RelayCall['passed'] => {
  const names = dialect?.requestRules.passedHeaders ?? []
  if (names.length === 0) return nothingPassed
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = ownMember(headers, name)
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}
