import { mostTokensAtOnce } from '@tollgate/contract/tokens/token-rules'
import { useCopy } from '../../components/copy/copy-text.tsx'
import { call } from '../../lib/api/api.ts'
import { calls, type Token, type tokenStatus } from '../../lib/api/contract.ts'
import { notifyFailure } from '../../lib/notify.tsx'
import { useAction } from '../../lib/query.ts'
import { useChangeMessages } from '../../lib/status-change.ts'
import { keyLines } from './key-lines.ts'
import { useTokenMessages } from './messages.ts'

type Status = typeof tokenStatus.enabled | typeof tokenStatus.disabled

const slices = (ids: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(ids.length / mostTokensAtOnce) }, (_, index) =>
    ids.slice(index * mostTokensAtOnce, (index + 1) * mostTokensAtOnce),
  )

/** Makes one call after the other and joins their answers. */
const inSlices = async <T>(tokens: readonly Token[], act: (ids: number[]) => Promise<T>): Promise<T[]> => {
  const answers: T[] = []
  for (const ids of slices(idsOf(tokens))) answers.push(await act(ids))
  return answers
}

const idsOf = (tokens: readonly Token[]): number[] => tokens.map(({ id }) => id)

const changeStatus = async (tokens: readonly Token[], status: Status, _clear: () => void) => {
  const answers = await inSlices(tokens, (ids) => call(calls.setTokensStatus, { body: { ids, status } }))
  return {
    changed: answers.flatMap((answer) => answer.changed).length,
    refused: answers.flatMap((answer) => answer.refused).length,
  }
}

/** Resolves to their number. */
const removeTokens = async (tokens: readonly Token[], clear: () => void): Promise<number> => {
  const counts = await inSlices(tokens, (ids) => call(calls.deleteTokens, { body: { ids } }))
  clear()
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Actions on several keys, one call each. Failures are shown; only `remove` rejects, for the dialog that asks. `<CopyDialog {...byHand} />` shows what could not be copied. */
export const useBulk = () => {
  const say = useTokenMessages()
  const sayChange = useChangeMessages()
  const { copy, byHand } = useCopy()
  const copyKeys = useAction(async (tokens: readonly Token[]): Promise<void> => {
    if (tokens.length === 0) throw new Error(say('selectFirst'))
    const keys = await inSlices(tokens, (ids) => call(calls.revealTokens, { body: { ids } }))
    const text = keyLines(keys.flat().map(({ name, key }) => ({ name, key: `sk-${key}` })))
    await copy(text, { secret: true })
  })
  const setStatus = useAction(changeStatus, {
    done: ({ changed, refused }) => (refused === 0 ? say('doneMany', { count: changed }) : undefined),
    onDone: ({ changed, refused }, _tokens, _status, clear) => {
      clear()
      if (refused > 0) notifyFailure(say('refusedMany', { done: changed, refused }))
    },
    refresh: [calls.browseTokens],
  })
  const remove = useAction(removeTokens, {
    done: (count, [only]) =>
      count === 1 && only ? sayChange('removed', { name: only.name }) : say('doneMany', { count }),
    refresh: [calls.browseTokens],
  })
  return { byHand, copyKeys: copyKeys.run, setStatus: setStatus.run, remove: remove.submit }
}
