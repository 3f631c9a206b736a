import { useState } from 'react'
import { calls } from '../../../../lib/api/contract.ts'
import { notifyFailure } from '../../../../lib/notify.tsx'
import { useAction } from '../../../../lib/query.ts'
import { errorText } from '../../../../lib/text/error-text.ts'
import { type ChannelValues, keysOf, vertexType } from '../fields.ts'
import { useChannelFormMessages } from '../form-messages.ts'
import { readObject } from '../json-text.ts'

/** The state of reading the provider's models with what the form holds. */
export interface ModelReading {
  /** Asks the provider; without a key to ask with, says so. */
  read: () => Promise<void>
  readonly busy: boolean
  /** The last answer, until `forget`; undefined before one. */
  readonly offered: readonly string[] | undefined
  /** The provider's models as they were read last; undefined before. */
  readonly all: readonly string[] | undefined
  /** The outcome of the last attempt in words. */
  readonly outcome: { readonly ok: boolean; readonly text: string } | undefined
  forget: () => void
}

/**
 * Reads the provider's models with the key, address and proxy of the form, which also proves that they work. `id` is the
 * stored channel, whose key is used while none is typed; `keyOptional` where its type needs none. `onRead` takes the list and answers true if nothing is left to
 * decide about it.
 */
export const useModelReading = (
  values: ChannelValues,
  { id, keyOptional }: { readonly id: number | undefined; readonly keyOptional: boolean },
  onRead: (models: readonly string[]) => boolean,
): ModelReading => {
  const say = useChannelFormMessages()
  const [offered, setOffered] = useState<readonly string[]>()
  const [all, setAll] = useState<readonly string[]>()
  const [outcome, setOutcome] = useState<ModelReading['outcome']>()
  const fetching = useAction(calls.fetchModels, { done: say('fetched') })
  const read = async (): Promise<void> => {
    const key = values.type === vertexType ? values.key.trim() : (keysOf(values.key)[0] ?? '')
    if (key === '' && id === undefined && !keyOptional) {
      notifyFailure(say('keyRequired'))
      return
    }
    const proxy = readObject(values.setting)?.proxy
    const body = {
      type: values.type,
      base_url: values.baseUrl.trim().replace(/\/+$/, ''),
      key,
      ...(id === undefined ? {} : { id }),
      ...(typeof proxy === 'string' && proxy !== '' ? { proxy } : {}),
    }
    try {
      const models = await fetching.submit({ body })
      setOutcome({ ok: true, text: say('connected', { count: models.length }) })
      setAll(models)
      setOffered(onRead(models) ? undefined : models)
    } catch (error) {
      setOutcome({ ok: false, text: say('connectFailed', { reason: errorText(error) }) })
    }
  }
  return { read, busy: fetching.busy, offered, all, outcome, forget: () => setOffered(undefined) }
}
