import { redemptionStatus } from 'virtual:contract'
import { useNavigate } from '@tanstack/react-router'
import type { RowAction } from '#web/components/data-table/columns/column.ts'
import { call } from '#web/lib/api/api.ts'
import { calls, type Redemption } from '#web/lib/api/contract.ts'
import { useStatusChange } from '#web/lib/status-change.ts'
import { useSearchParams } from '#web/lib/url/search-params.ts'
import { useRedemptionMessages } from './messages.ts'

/** Codes of a batch share their name. */
export const nameOf = ({ name, id }: Redemption): string => `${name} #${id}`

const named = (code: Redemption) => ({ ...code, name: nameOf(code) })

/** The actions on one code. */
export const useRedemptionActions = (
  remove: (code: Redemption, drop: () => void) => void,
): ((code: Redemption, drop: () => void) => readonly RowAction[]) => {
  const say = useRedemptionMessages()
  const navigate = useNavigate()
  const [, setSearch] = useSearchParams()
  const { run: setStatus } = useStatusChange(
    (id, status) => call(calls.updateRedemption, { query: { status_only: 'true' }, body: { id, status } }),
    [calls.searchRedemptions],
  )
  return (code, drop) => {
    const editable = code.status === redemptionStatus.unused
    const used = code.status === redemptionStatus.used
    return [
      {
        label: say('edit'),
        changes: true,
        icon: 'edit',
        onClick: () => setSearch({ edit: String(code.id) }),
        ...(editable ? {} : { disabled: true, hint: say('editHint') }),
      },
      editable
        ? {
            label: say('disable'),
            changes: true,
            icon: 'stop',
            onClick: () => void setStatus(named(code), redemptionStatus.disabled),
          }
        : {
            label: say('enable'),
            changes: true,
            icon: 'check',
            onClick: () => void setStatus(named(code), redemptionStatus.unused),
            ...(used ? { disabled: true, hint: say('usedHint') } : {}),
          },
      ...(code.batch_id === ''
        ? []
        : [
            {
              label: say('onlyBatch'),
              icon: 'filter',
              onClick: () => setSearch({ batch_id: code.batch_id, p: undefined }),
            } as const,
          ]),
      ...(used
        ? [
            {
              label: say('showRedeemer'),
              icon: 'user',
              onClick: () => void navigate({ to: '/user/$id', params: { id: String(code.used_user_id) } }),
            } as const,
          ]
        : []),
      { label: say('delete'), icon: 'trash', danger: true, changes: true, onClick: () => remove(code, drop) },
    ]
  }
}
