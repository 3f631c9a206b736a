import { mostTokensAtOnce } from '@tollgate/contract/sizes'
import { useCopy } from '../../../components/copy/copy-text.tsx'
import { call } from '../../../lib/api/api.ts'
import { calls, type Token } from '../../../lib/api/contract.ts'
import { useAction } from '../../../lib/query.ts'
import { useTokenMessages } from '../messages.ts'

/** Lines of `name    sk-key`, the established format for copied keys. */
export const keyLines = (keys: readonly { name: string; key: string }[]): string =>
  keys.map(({ name, key }) => `${name}    ${key}`).join('\n')

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

/** Copies several keys; `<CopyDialog {...byHand} />` shows what could not be copied. */
export const useCopyKeys = () => {
  const say = useTokenMessages()
  const { copy, byHand } = useCopy()
  const copyKeys = useAction(async (tokens: readonly Token[]): Promise<void> => {
    if (tokens.length === 0) throw new Error(say('selectFirst'))
    const keys = await inSlices(tokens, (ids) => call(calls.revealTokens, { body: { ids } }))
    const text = keyLines(keys.flat().map(({ name, key }) => ({ name, key: `sk-${key}` })))
    await copy(text, { secret: true })
  })
  return { byHand, copyKeys: copyKeys.run }
}
