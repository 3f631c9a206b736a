import { SegmentedControl } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { Facts } from '../../../components/display/facts.tsx'
import { Quota, useQuotaText } from '../../../components/display/quota.tsx'
import { FormDrawer } from '../../../components/form/form-drawer.tsx'
import { QuotaInput, quotaPresets } from '../../../components/form/quota-input.tsx'
import { calls, type Organisation } from '../../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { useOrganisationMessages } from '../messages.ts'

/** Moves money between the own wallet and that of the organisation. */
export const TransferForm = ({ organisation, onClose }: { organisation: Organisation; onClose: () => void }) => {
  const say = useOrganisationMessages()
  const quotaText = useQuotaText()
  const self = useEndpoint(calls.getSelf, {}, { staleTimeMs: 0 })
  // The same for every attempt of this form: a repeat after a lost answer moves nothing twice.
  const [transferId] = useState(() => crypto.randomUUID())
  const { id, balance, may } = organisation
  const form = useForm<{ direction: 'in' | 'out'; amount: number }>({
    initialValues: { direction: 'in', amount: 0 },
    validate: { amount: (amount) => (amount > 0 ? null : say('amountRequired')) },
  })
  const move = useAction(calls.transferToOrganisation, {
    refresh: [calls.getOrganisation, calls.getSelf],
    done: (_, { body }) => say('transferred', { amount: quotaText(body.amount) }),
  })
  const { direction, amount } = form.getValues()
  return (
    <FormDrawer
      title={say('transferTitle')}
      form={form}
      submitLabel={say('transfer')}
      onClose={onClose}
      onSubmit={(values) =>
        move.submit({ params: { id }, body: { ...values, transfer_id: `${transferId}-${values.direction}` } })
      }
    >
      {may.includes('pay_out') && (
        <SegmentedControl
          aria-label={say('direction')}
          data={[
            { value: 'in', label: say('payIn') },
            { value: 'out', label: say('payOut') },
          ]}
          value={direction}
          onChange={(value) => form.setFieldValue('direction', value === 'out' ? 'out' : 'in')}
        />
      )}
      <Facts
        facts={[
          { label: say('ownBalance'), value: self.data ? <Quota value={self.data.quota} /> : '—' },
          balance !== null && { label: say('orgBalance'), value: <Quota value={balance} /> },
        ]}
      />
      <QuotaInput
        label={say('amount')}
        presets={quotaPresets}
        data-autofocus
        {...form.getInputProps('amount')}
        value={amount}
      />
    </FormDrawer>
  )
}
