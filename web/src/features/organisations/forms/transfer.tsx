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
import { useOrganisationFormMessages } from './messages.ts'

/** Moves money between the own wallet and that of the organisation. */
export const TransferForm = ({ organisation, onClose }: { organisation: Organisation; onClose: () => void }) => {
  const say = useOrganisationMessages()
  const sayForm = useOrganisationFormMessages()
  const quotaText = useQuotaText()
  const self = useEndpoint(calls.getSelf, {}, { staleTimeMs: 0 })
  // The same for every attempt of this form: a repeat after a lost answer moves nothing twice.
  const [transferId] = useState(() => crypto.randomUUID())
  const { id, balance, may } = organisation
  const form = useForm<{ direction: 'in' | 'out'; amount: number }>({
    initialValues: { direction: 'in', amount: 0 },
    validate: { amount: (amount) => (amount > 0 ? null : sayForm('amountRequired')) },
  })
  const move = useAction(calls.transferToOrganisation, {
    refresh: [calls.getOrganisation, calls.getSelf],
    done: (_, { body }) => sayForm('transferred', { amount: quotaText(body.amount) }),
  })
  const { direction, amount } = form.getValues()
  return (
    <FormDrawer
      title={sayForm('transferTitle')}
      form={form}
      submitLabel={say('transfer')}
      onClose={onClose}
      onSubmit={(values) =>
        move.submit({ params: { id }, body: { ...values, transfer_id: `${transferId}-${values.direction}` } })
      }
    >
      {may.includes('pay_out') && (
        <SegmentedControl
          aria-label={sayForm('direction')}
          data={[
            { value: 'in', label: sayForm('payIn') },
            { value: 'out', label: sayForm('payOut') },
          ]}
          value={direction}
          onChange={(value) => form.setFieldValue('direction', value === 'out' ? 'out' : 'in')}
        />
      )}
      <Facts
        facts={[
          { label: sayForm('ownBalance'), value: self.data ? <Quota value={self.data.quota} /> : '—' },
          balance !== null && { label: sayForm('orgBalance'), value: <Quota value={balance} /> },
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
