import { useForm } from '@mantine/form'
import { useState } from 'react'
import { FormDrawer } from '../../components/form/form-drawer.tsx'
import { call } from '../../lib/api/api.ts'
import { calls, type User } from '../../lib/api/contract.ts'
import { notifyDone } from '../../lib/notify.tsx'
import { adjustmentOf, adjustmentRules, newFormId, noAdjustment } from './fields.ts'
import { useUserWords } from './messages.ts'
import { QuotaAdjust } from './quota-adjust.tsx'
import { useRefreshUsers } from './refresh.ts'

/** Moves a user's balance by an amount, with the reason that its ledger keeps. */
export const AdjustQuota = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const say = useUserWords()
  const refresh = useRefreshUsers()
  const [formId] = useState(newFormId)
  const rules = adjustmentRules(say, user.quota)
  const form = useForm({
    initialValues: noAdjustment,
    validate: { ...rules, delta: (delta: number) => (delta === 0 ? say('deltaRequired') : rules.delta(delta)) },
  })
  return (
    <FormDrawer
      title={say('adjust')}
      subtitle={`${user.username} · #${user.id}`}
      form={form}
      submitLabel={say('submit')}
      onClose={onClose}
      onSubmit={async (values) => {
        await call(calls.updateUser, { body: { id: user.id, ...adjustmentOf(values, formId) } })
        notifyDone(say('updated'))
        await refresh()
      }}
    >
      <QuotaAdjust
        balance={user.quota}
        delta={form.getValues().delta}
        deltaProps={{ ...form.getInputProps('delta'), 'data-autofocus': true }}
        reasonProps={form.getInputProps('reason')}
      />
    </FormDrawer>
  )
}
