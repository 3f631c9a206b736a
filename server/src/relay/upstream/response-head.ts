import { ownMember } from '@tollgate/contract/own-member'
import { costHeaders } from '../../billing/stated/stated-costs.ts'
import { limitSigns } from './limit-headers.ts'
import { plainRequestId, requestIdHeaders } from './request-id.ts'
import type { Headers } from './upstream.ts'

/** Facts that the relay looks for in the head of every answer. */
export interface HeadFacts {
  /** The first value of `content-type` in lower case; empty for none. */
  readonly type: string
  /** The first value of `content-encoding` in lower case; empty for none. */
  readonly encoding: string
  /** As `requestIdOfHead` finds it. */
  readonly requestId: string
  /** True where `learnedLimits` finds any. */
  readonly saysLimits: boolean
  /** True where `statedInHead` may find a cost. */
  readonly saysCost: boolean
  /** True where `receiptOfHead` may find a receipt. */
  readonly hasReceipt: boolean
}

type Kind = 'type' | 'encoding' | 'limit' | 'cost' | 'receipt'

/** Rank of a header name among names of request ids, or its other meaning. */
const kinds = new Map<string, number | Kind>([
  ...requestIdHeaders.map((name, place) => [name, place] as const),
  ...limitSigns.map((name) => [name, 'limit'] as const),
  ...costHeaders.map((name) => [name, 'cost'] as const),
  ['content-type', 'type'],
  ['content-encoding', 'encoding'],
  ['x-tollgate-receipt', 'receipt'],
])

/** Reads a head in one pass over its names: most have none of those that others than the content type are found in. */
export const readHead = (headers: Headers): HeadFacts => {
  let [type, encoding, requestId] = ['', '', '']
  let [saysLimits, saysCost, hasReceipt] = [false, false, false]
  let first: number = requestIdHeaders.length
  for (const name in headers) {
    const kind = kinds.get(name)
    if (kind === undefined) continue
    const value = ownMember(headers, name)
    const text = (typeof value === 'string' ? value : value?.[0]) ?? ''
    if (kind === 'limit') saysLimits = true
    else if (kind === 'cost') saysCost = true
    else if (kind === 'receipt') hasReceipt = true
    else if (kind === 'type') type = text.toLowerCase()
    else if (kind === 'encoding') encoding = text.toLowerCase()
    else if (kind < first) {
      const id = plainRequestId(text)
      if (id === '') continue
      requestId = id
      first = kind
    }
  }
  return { type, encoding, requestId, saysLimits, saysCost, hasReceipt }
}
