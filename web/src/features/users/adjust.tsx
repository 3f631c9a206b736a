import { useForm } from '@mantine/form'
import { useState } from 'react'
import { FormDrawer } from '../../components/form/form-drawer.tsx'
import { calls, type User } from '../../lib/api/contract.ts'
import { useAction } from '../../lib/query.ts'
import { newFormId } from '../../lib/submit.ts'
import { aboutUsers } from './about-users.ts'
import { adjustmentOf, adjustmentRules, noAdjustment } from './fields.ts'
import { useUserMessages } from './messages.ts'
import { QuotaAdjust } from './quota-adjust.tsx'

/** Moves a user's balance by an amount, with the reason that its ledger keeps. */
export const AdjustQuota = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const say = useUserMessages()
  const adjust = useAction(calls.updateUser, { done: say('updated'), refresh: aboutUsers })
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
      onClose={onClose}
      onSubmit={(values) => adjust.submit({ body: { id: user.id, ...adjustmentOf(values, formId) } })}
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
