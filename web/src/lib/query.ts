import type { Callable } from 'virtual:contract'
import { keepPreviousData, QueryClient, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import type { DataOf } from '@tollgate/contract'
import { useCallback } from 'react'
import { type ApiError, callWhole, type PartsArgument } from './api/api.ts'
import { addressOf, type LooseParts } from './api/call-address.ts'
import { isBegunEarly } from './loading/early-reads.ts'
import { readsMayBegin } from './loading/hold-reads.ts'
import { turnOfOthers } from './loading/turns.ts'
import { notifyDone, notifyFailure } from './notify.tsx'
import { type FormSubmission, useSubmit } from './submit.ts'

/** One cache for the console. Calls that failed are shown with a retry button instead of being repeated in silence. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        gcTime: 10 * 60_000,
        retry: false,
        refetchOnWindowFocus: false,
        networkMode: 'always',
      },
    },
  })

export const queryKeyOf = (endpoint: Callable, parts: unknown = {}): readonly unknown[] => [
  endpoint.method,
  endpoint.path,
  parts,
]

export interface EndpointOptions {
  enabled?: boolean
  staleTimeMs?: number
  refreshEveryMs?: number
}

/** The parts of a call, optional where the endpoint needs none, then the options of reading. */
export type EndpointArguments<E> =
  PartsArgument<E> extends [parts?: infer P]
    ? PartsArgument<E> extends [infer Needed]
      ? [parts: Needed, options?: EndpointOptions]
      : [parts?: P, options?: EndpointOptions]
    : never

/** The entry of the cache that an answer belongs in, and how it is read: at once, or when those that are have answered. */
export const readOf = <E>(endpoint: Callable<E>, parts: LooseParts = {}, atOnce = false) => ({
  queryKey: queryKeyOf(endpoint, parts),
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    if (!atOnce && !isBegunEarly(addressOf(endpoint.path, parts))) await turnOfOthers()
    const held = readsMayBegin()
    // Without a wait otherwise: an answer that the page began is only kept for reads that begin at once.
    if (held) await held
    return (await callWhole(endpoint, parts, signal)).data as DataOf<E>
  },
})

/** Reads an endpoint. The previous answer stays while filters or pages change (`isPlaceholderData` tells). */
export const useEndpoint = <E>(
  endpoint: Callable<E>,
  ...args: EndpointArguments<E>
): UseQueryResult<DataOf<E>, ApiError> => {
  const [parts = {}, options = {}] = args as [LooseParts?, EndpointOptions?]
  return useQuery<DataOf<E>, ApiError>({
    ...readOf(endpoint, parts),
    placeholderData: keepPreviousData,
    ...(options.enabled === undefined ? {} : { enabled: options.enabled }),
    ...(options.staleTimeMs === undefined ? {} : { staleTime: options.staleTimeMs }),
    ...(options.refreshEveryMs === undefined ? {} : { refetchInterval: options.refreshEveryMs }),
  })
}

/** Reads everything from these endpoints again, whatever the parameters. */
export const useRefresh = (): ((...endpoints: readonly Callable[]) => Promise<void>) => {
  const client = useQueryClient()
  return useCallback(
    async (...endpoints) => {
      // Prefetched data that is not shown yet is from before the change.
      void client.invalidateQueries({
        type: 'inactive',
        refetchType: 'none',
        predicate: ({ meta }) => meta?.ahead === true,
      })
      await Promise.all(
        endpoints.map((endpoint) => client.invalidateQueries({ queryKey: [endpoint.method, endpoint.path] })),
      )
    },
    [client],
  )
}

export interface ActionOptions<Args extends readonly unknown[], Data> {
  /** The text of the notification after success. */
  done?: string | ((data: Data, ...args: Args) => string | undefined)
  /** Endpoints whose lists or details changed. */
  refresh?: readonly Callable[]
  /** Endpoints that may be out of date after a failure: the change happened in part, or another user made one first. */
  refreshAfterFailure?: readonly Callable[]
  onDone?: (data: Data, ...args: Args) => void
}

/** `submit` is for forms and dialogs, which show the failure beside their button. */
export interface Action<Args extends readonly unknown[], Data> extends FormSubmission<Args, Data> {
  /** For plain buttons and menus: shows a failure as a notification, and then resolves to undefined. */
  run: (...args: Args) => Promise<Data | undefined>
}

type Work<Args extends readonly unknown[], Data> = (...args: Args) => Promise<Data>

/**
 * The one way to change something: a call of an endpoint, or work made of several calls. Knows whether it runs, notifies,
 * and reads again what changed: `const remove = useAction(calls.deleteToken, { refresh: [calls.browseTokens], done: say('deleted') })`.
 * Resolves once everything in `refresh` has been read again.
 */
export function useAction<E>(
  endpoint: Callable<E>,
  options?: ActionOptions<PartsArgument<E>, DataOf<E>>,
): Action<PartsArgument<E>, DataOf<E>>
export function useAction<Args extends readonly unknown[], Data>(
  work: Work<Args, Data>,
  options?: ActionOptions<Args, Data>,
): Action<Args, Data>
export function useAction<Args extends readonly unknown[], Data>(
  source: Callable | Work<Args, Data>,
  options: ActionOptions<Args, Data> = {},
): Action<Args, Data> {
  const refresh = useRefresh()
  const send: Work<Args, Data> = async (...args) =>
    typeof source === 'function' ? source(...args) : ((await callWhole(source, args[0] ?? {})).data as Data)
  const submission = useSubmit(async (...args: Args): Promise<Data> => {
    const data = await send(...args).catch((error: unknown) => {
      void refresh(...(options.refreshAfterFailure ?? []))
      throw error
    })
    options.onDone?.(data, ...args)
    const message = typeof options.done === 'function' ? options.done(data, ...args) : options.done
    if (message) notifyDone(message)
    await refresh(...(options.refresh ?? []))
    return data
  })
  return {
    ...submission,
    run: async (...args) => {
      try {
        return await submission.submit(...args)
      } catch (error) {
        notifyFailure(error)
        return undefined
      }
    },
  }
}
