import type { Callable } from 'virtual:contract'
import {
  keepPreviousData,
  QueryClient,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { DataOf } from '@tollgate/contract'
import { useCallback } from 'react'
import { ApiError, callWhole, type LooseParts, type Parts, type PartsArgument } from './api/api.ts'
import { notifyDone, notifyFailure } from './notify.tsx'

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
      mutations: { networkMode: 'always' },
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

/** The entry of the cache that an answer belongs in, and how it is read. */
export const readOf = <E>(endpoint: Callable<E>, parts: LooseParts = {}) => ({
  queryKey: queryKeyOf(endpoint, parts),
  queryFn: async ({ signal }: { signal: AbortSignal }) => (await callWhole(endpoint, parts, signal)).data as DataOf<E>,
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

export interface ActionOptions<E> {
  /** Said when it worked. */
  done?: string | ((data: DataOf<E>) => string | undefined)
  /** Endpoints whose lists or details changed. */
  refresh?: readonly Callable[]
  onDone?: (data: DataOf<E>, parts: Parts<E>) => void
  /** Failures are shown as notifications unless the caller shows them itself (forms do). */
  quiet?: boolean
}

export interface Action<E> {
  /** Resolves to the data; rejects with ApiError when `quiet`, otherwise resolves to undefined after a failure. */
  run: (...parts: PartsArgument<E>) => Promise<DataOf<E> | undefined>
  busy: boolean
  error: ApiError | undefined
  reset: () => void
}

/** Changes something: `const remove = useAction(calls.deleteToken, { refresh: [calls.browseTokens], done: say('deleted') })`. */
export const useAction = <E>(endpoint: Callable<E>, options: ActionOptions<E> = {}): Action<E> => {
  const refresh = useRefresh()
  const mutation = useMutation<DataOf<E>, ApiError, LooseParts | undefined>({
    mutationFn: async (parts) => (await callWhole(endpoint, parts)).data as DataOf<E>,
    onSuccess: async (data, parts) => {
      options.onDone?.(data, (parts ?? {}) as Parts<E>)
      const message = typeof options.done === 'function' ? options.done(data) : options.done
      if (message) notifyDone(message)
      await refresh(...(options.refresh ?? []))
    },
    onError: (error) => {
      if (!options.quiet) notifyFailure(error)
    },
  })
  return {
    run: async (...[parts]) => {
      try {
        return await mutation.mutateAsync(parts as LooseParts | undefined)
      } catch (error) {
        if (options.quiet || !(error instanceof ApiError)) throw error
        return undefined
      }
    },
    busy: mutation.isPending,
    error: mutation.error ?? undefined,
    reset: mutation.reset,
  }
}
