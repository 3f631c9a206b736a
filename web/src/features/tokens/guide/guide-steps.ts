import { useEffect, useState } from 'react'
import { calls, logType, role, type Token } from '../../../lib/api/contract.ts'
import { useSession } from '../../../lib/api/session.ts'
import { useMark } from '../../../lib/preferences/preferences.ts'
import { useEndpoint, useRefresh } from '../../../lib/query.ts'

/** An address may make 180 calls in as many seconds, and may be that of a whole office. */
const watchEveryMs = 5000
const failuresEveryMs = 10_000

export type GuideStepId = 'channel' | 'test' | 'key' | 'address' | 'call' | 'balance'

export interface GuideStep {
  readonly id: GuideStepId
  readonly done: boolean
}

export interface Guide {
  readonly steps: readonly GuideStep[]
  /** The key that was used last, else any. */
  readonly token: Token | undefined
  /** The error of the newest failed call, while no call has succeeded yet. */
  readonly failure: string | undefined
}

const wasUsed = ({ accessed_time, created_time }: Token): boolean => accessed_time > 0 && accessed_time !== created_time

/**
 * How far somebody is with the first steps, from what there is: keys, calls, a balance, for operators channels that were
 * tested. While the first call is due it is watched for, as long as the page can be seen. Undefined while it is not known,
 * null where it cannot be.
 */
export const useGuide = (): Guide | undefined | null => {
  const isOperator = (useSession()?.role ?? 0) >= role.admin
  const [copied] = useMark('address-copied')
  const tokens = useEndpoint(calls.browseTokens, { query: { page_size: 1, sort: '-accessed_time' } })
  const token = tokens.data?.items[0]
  const account = useEndpoint(calls.getSelf)
  const self = account.data
  const waiting = token !== undefined && self?.request_count === 0
  // The same request again, at an interval.
  useEndpoint(calls.getSelf, {}, { enabled: waiting, refreshEveryMs: watchEveryMs })
  const refresh = useRefresh()
  const [wasWaiting, setWasWaiting] = useState(false)
  if (waiting && !wasWaiting) setWasWaiting(true)
  const arrived = wasWaiting && !waiting
  // The server: the list of keys shows the call, too.
  useEffect(() => {
    if (arrived) void refresh(calls.browseTokens, calls.getTokensUsage)
  }, [arrived, refresh])
  const failed = useEndpoint(
    calls.listOwnLogs,
    { query: { type: logType.error, page_size: 1 } },
    { enabled: waiting, refreshEveryMs: failuresEveryMs },
  )
  const channels = useEndpoint(
    calls.browseChannels,
    { query: { page_size: 1, sort: '-response_time' } },
    { enabled: isOperator },
  )
  if (!tokens.data || !self || (isOperator && !channels.data))
    return tokens.error || account.error || channels.error ? null : undefined
  const steps: readonly (GuideStep | false)[] = [
    isOperator && { id: 'channel', done: (channels.data?.total ?? 0) > 0 },
    isOperator && { id: 'test', done: (channels.data?.items[0]?.response_time ?? 0) > 0 },
    { id: 'key', done: tokens.data.total > 0 },
    // Whoever called with a key knows the address.
    { id: 'address', done: copied || (token !== undefined && wasUsed(token)) },
    { id: 'call', done: self.request_count > 0 },
    { id: 'balance', done: self.quota > 0 || self.used_quota > 0 },
  ]
  return {
    steps: steps.filter((step) => step !== false),
    token,
    failure: waiting ? failed.data?.items[0]?.content : undefined,
  }
}
