import { useEffect, useRef, useState } from 'react'
import { type Channel, calls, mostRunAtOnce, type OfferedModelsLine } from '../../../../lib/api/contract.ts'
import { callLines } from '../../../../lib/api/line-stream.ts'
import { useBatchedState } from '../../../../lib/loading/batched-state.ts'
import { errorText } from '../../../../lib/text/error-text.ts'
import { refusalText } from '../../../../lib/text/refusal-text.ts'

/** The difference between the models that an upstream offers and those of a channel. */
export interface ModelDiff {
  readonly fresh: readonly string[]
  readonly gone: readonly string[]
  readonly same: readonly string[]
}

/** Names in the order of their own list. */
export const modelDiff = (chosen: readonly string[], offered: readonly string[]): ModelDiff => {
  const have = new Set(chosen)
  const offers = new Set(offered)
  return {
    fresh: [...offers].filter((name) => !have.has(name)),
    gone: [...have].filter((name) => !offers.has(name)),
    same: [...have].filter((name) => offers.has(name)),
  }
}

/** The state of fetching a channel's upstream models. */
export type Offered = { models: readonly string[] } | { error: string }
export type OfferedModels = ReadonlyMap<number, Offered>

export interface OfferedModelsQuery {
  readonly offered: OfferedModels
  readonly busy: boolean
  /** Asks for the models of these channels; resolves when all have answered or it was stopped. */
  ask: (channels: readonly Channel[]) => Promise<void>
  stop: () => void
}

/** Asks the upstreams of channels for their models, each answer kept as it comes; ends with the panel that asked. */
export const useOfferedModels = (): OfferedModelsQuery => {
  const [offered, keep] = useBatchedState<number, Offered>()
  const [busy, setBusy] = useState(false)
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])

  const ask = async (channels: readonly Channel[]): Promise<void> => {
    const controller = new AbortController()
    abort.current = controller
    const { signal } = controller
    const ids = channels.map(({ id }) => id)
    const open = new Set(ids)
    const onLine = (line: OfferedModelsLine): void => {
      open.delete(line.id)
      keep(line.id, 'error' in line ? { error: refusalText(line.error, line) } : line)
    }
    setBusy(true)
    try {
      for (let from = 0; from < ids.length; from += mostRunAtOnce) {
        const body = { ids: ids.slice(from, from + mostRunAtOnce) }
        await callLines(calls.fetchManyModels, { body }, { signal, onLine })
      }
    } catch (error) {
      const reason = errorText(error)
      if (!signal.aborted) for (const id of open) keep(id, { error: reason })
    }
    setBusy(false)
  }
  return { offered, busy, ask, stop: () => abort.current?.abort() }
}

/** How a channel differs from its upstream; undefined where that is not known. */
export const diffOf = ({ id, models }: Channel, offered: OfferedModels): ModelDiff | undefined => {
  const answer = offered.get(id)
  return answer && 'models' in answer ? modelDiff(models.split(',').filter(Boolean), answer.models) : undefined
}

/** The models to add and to remove, without the unticked ones. */
export const changeOf = (
  { fresh, gone }: ModelDiff,
  dropped: ReadonlySet<string>,
): { add: string[]; remove: string[] } => ({
  add: fresh.filter((name) => !dropped.has(name)),
  remove: gone.filter((name) => dropped.has(name)),
})
