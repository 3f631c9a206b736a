import { useNavigate } from '@tanstack/react-router'
import type { RowAction } from '../../components/data-table/columns/column.ts'
import { calls, type Redemption, redemptionStatus } from '../../lib/api/contract.ts'
import { useAction } from '../../lib/query.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { useRedemptionMessages } from './messages.ts'

const statusCall = (id: number, status: number) => ({ query: { status_only: 'true' }, body: { id, status } })

/** The actions on one code. */
export const useRedemptionActions = (
  remove: (code: Redemption, drop: () => void) => void,
): ((code: Redemption, drop: () => void) => readonly RowAction[]) => {
  const say = useRedemptionMessages()
  const navigate = useNavigate()
  const [, setSearch] = useSearchParams()
  const update = useAction(calls.updateRedemption, { refresh: [calls.searchRedemptions], done: say('statusDone') })
  return (code, drop) => {
    const editable = code.status === redemptionStatus.unused
    const used = code.status === redemptionStatus.used
    return [
      {
        label: say('edit'),
        icon: 'edit',
        onClick: () => setSearch({ edit: String(code.id) }),
        ...(editable ? {} : { disabled: true, hint: say('editHint') }),
      },
      editable
        ? {
            label: say('disable'),
            icon: 'stop',
            onClick: () => void update.run(statusCall(code.id, redemptionStatus.disabled)),
          }
        : {
            label: say('enable'),
            icon: 'check',
            onClick: () => void update.run(statusCall(code.id, redemptionStatus.unused)),
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
      { label: say('delete'), icon: 'trash', danger: true, onClick: () => remove(code, drop) },
    ]
  }
}
