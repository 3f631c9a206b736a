import { useCopy } from '../../components/copy/copy-text.tsx'
import { call } from '../../lib/api/api.ts'
import { calls, type Token, type tokenStatus } from '../../lib/api/contract.ts'
import { notifyDone, notifyFailure } from '../../lib/notify.tsx'
import { useRefresh } from '../../lib/query.ts'
import { keyLines } from './key-lines.ts'
import { useTokenWords } from './messages.ts'

type Status = typeof tokenStatus.enabled | typeof tokenStatus.disabled

/** So many the server takes with one call; a selection may reach over pages. */
const atOnce = 100

const slices = (ids: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(ids.length / atOnce) }, (_, index) => ids.slice(index * atOnce, (index + 1) * atOnce))

/** Makes one call after the other and joins their answers. */
const inSlices = async <T>(tokens: readonly Token[], act: (ids: number[]) => Promise<T>): Promise<T[]> => {
  const answers: T[] = []
  for (const ids of slices(idsOf(tokens))) answers.push(await act(ids))
  return answers
}

const idsOf = (tokens: readonly Token[]): number[] => tokens.map(({ id }) => id)

/** Actions on several keys, one call each. Failures are reported. Render `dialog` once. */
export const useBulk = () => {
  const say = useTokenWords()
  const refresh = useRefresh()
  const { copy, dialog } = useCopy()

  const tried = async (act: () => Promise<void>): Promise<void> => {
    try {
      await act()
    } catch (error) {
      notifyFailure(error)
    }
  }

  return {
    dialog,
    copyKeys: async (tokens: readonly Token[]): Promise<void> => {
      if (tokens.length === 0) return notifyFailure(say('selectFirst'))
      return tried(async () => {
        const keys = await inSlices(tokens, (ids) => call(calls.revealTokens, { body: { ids } }))
        const text = keyLines(keys.flat().map(({ name, key }) => ({ name, key: `sk-${key}` })))
        await copy(text, { secret: true })
      })
    },
    setStatus: (tokens: readonly Token[], status: Status, clear: () => void): Promise<void> =>
      tried(async () => {
        const answers = await inSlices(tokens, (ids) => call(calls.setTokensStatus, { body: { ids, status } }))
        const changed = answers.flatMap((answer) => answer.changed)
        const refused = answers.flatMap((answer) => answer.refused)
        clear()
        await refresh(calls.browseTokens)
        if (refused.length === 0) notifyDone(say('doneMany', { count: changed.length }))
        else notifyFailure(say('refusedMany', { done: changed.length, refused: refused.length }))
      }),
    /** Throws, so that the question stays open. */
    remove: async (tokens: readonly Token[], clear: () => void): Promise<void> => {
      const counts = await inSlices(tokens, (ids) => call(calls.deleteTokens, { body: { ids } })).catch(
        (error: unknown) => {
          notifyFailure(error)
          throw error
        },
      )
      clear()
      notifyDone(say('doneMany', { count: counts.reduce((sum, count) => sum + count, 0) }))
      await refresh(calls.browseTokens)
    },
  }
}
