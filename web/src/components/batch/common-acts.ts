import { isSetStatus, type SetStatus, useChangeMessages } from '../../lib/status-change.ts'

type StatusAct = { readonly kind: 'status'; readonly status: SetStatus }
type SayCount = (key: 'enabled' | 'disabled' | 'deleted', counted: { count: number }) => string

/** Text about a finished change of status or delete: with the name of the row, or with the count of several. */
export const commonDoneText = (
  act: StatusAct | { readonly kind: 'delete' },
  { count, name }: { readonly count: number; readonly name?: string | undefined },
  say: SayCount,
): string => {
  const enabled = act.kind === 'status' && act.status === 1
  if (name === undefined) return say(act.kind === 'delete' ? 'deleted' : enabled ? 'enabled' : 'disabled', { count })
  return useChangeMessages.say(act.kind === 'delete' ? 'removed' : enabled ? 'enabled' : 'disabled', { name })
}

/** Action that restores a row's earlier status; undefined if it already had the new one. */
export const statusUndo = (act: StatusAct, before: unknown): StatusAct | undefined =>
  isSetStatus(before) && before !== act.status ? { kind: 'status', status: before } : undefined
