import { Button, Select } from '@mantine/core'
import { useForm } from '@mantine/form'
import { FormDrawer } from '../../../components/form/form-drawer.tsx'
import { QuotaInput, quotaPresets } from '../../../components/form/quota-input.tsx'
import { calls, type Organisation, type SpendCap } from '../../../lib/api/contract.ts'
import { useAction } from '../../../lib/query.ts'
import { periodText } from '../cap-cell.tsx'
import { useOrganisationMessages } from '../messages.ts'
import { useOrganisationFormMessages } from './messages.ts'

const usualAmount = 5_000_000
const periods = ['day', 'month', 'total'] as const

interface Props {
  organisation: Organisation
  subject: 'member' | 'project'
  subjectId: number
  name: string
  cap: SpendCap | null
  onClose: () => void
}

/** Sets, changes or removes what a member or project may spend. */
export const CapForm = ({ organisation, subject, subjectId, name, cap, onClose }: Props) => {
  const say = useOrganisationMessages()
  const sayForm = useOrganisationFormMessages()
  const form = useForm<{ period: SpendCap['period']; amount: number }>({
    initialValues: { period: cap?.period ?? 'month', amount: cap?.amount ?? usualAmount },
  })
  const save = useAction(calls.setSpendCap, {
    refresh: [calls.getOrganisation],
    done: (_, { body }) => sayForm(body.amount === null ? 'capRemoved' : 'capSaved'),
  })
  const { period, amount } = form.getValues()
  const send = (limit: number | null): Promise<unknown> =>
    save.submit({
      params: { id: organisation.id },
      body: { subject, subject_id: subjectId, period, amount: limit },
    })
  return (
    <FormDrawer
      title={say('setCap')}
      subtitle={sayForm('capTitle', { name })}
      form={form}
      onClose={onClose}
      onSubmit={({ amount: limit }) => send(limit)}
      footer={
        cap && (
          <Button color="bad" loading={save.busy} onClick={() => void send(null).then(onClose, () => undefined)}>
            {sayForm('capRemove')}
          </Button>
        )
      }
    >
      <p className="muted">{sayForm('capHint')}</p>
      <Select
        label={say('period')}
        description={period === 'total' ? undefined : sayForm(period === 'day' ? 'dayHint' : 'monthHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        allowDeselect={false}
        data={periods.map((value) => ({ value, label: periodText(value, say) }))}
        {...form.getInputProps('period')}
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
