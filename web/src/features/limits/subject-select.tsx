import { Autocomplete, Select, TextInput } from '@mantine/core'
import type { LimitSubject } from '@tollgate/contract/limits/limit-choices'
import type { ReactNode } from 'react'
import { FoundSelect, useSubject } from '../../components/limits/search-select.tsx'
import { calls, type FoundSubject } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useLimitCalls } from './limit-calls.ts'
import { useLimitMessages } from './messages.ts'

const mostListed = 50

interface Props {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: ReactNode
}

/** The thing of a number; undefined for names, and while it is on its way. */
export const useFoundSubject = (kind: LimitSubject | '', value: string): FoundSubject | undefined =>
  useSubject(useLimitCalls().subjects, kind, value)

const NumberedSelect = ({ kind, ...field }: Props & { kind: LimitSubject }) => {
  const say = useLimitMessages()
  const { subjects } = useLimitCalls()
  const texts = { label: say('which'), placeholder: say('eachOne'), nothingFoundMessage: say('nothingFound') }
  return <FoundSelect subjects={subjects} kind={kind} {...texts} {...field} />
}

const GroupSelect = ({ value, onChange, error }: Props) => {
  const say = useLimitMessages()
  const { data = [] } = useEndpoint(calls.listGroups)
  return (
    <Select
      label={say('which')}
      placeholder={say('eachOne')}
      searchable
      clearable
      data={[...new Set(value === '' ? data : [value, ...data])]}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      error={error}
    />
  )
}

/** The names are suggestions: a limit may be on a model that comes later. */
const ModelField = ({ names, value, onChange, error }: Props & { names: readonly string[] }) => {
  const say = useLimitMessages()
  return (
    <Autocomplete
      label={say('which')}
      placeholder={say('eachOne')}
      data={[...names]}
      limit={mostListed}
      classNames={{ input: 'mono' }}
      value={value}
      onChange={onChange}
      error={error}
    />
  )
}

/** The model that goes on where an amount is used up. */
export const FallbackModel = ({ value, onChange, error }: Props) => {
  const say = useLimitMessages()
  const { isAdmin } = useLimitCalls()
  const { data: models = [] } = useEndpoint(calls.getOwnModels)
  const { data: virtual = [] } = useEndpoint(calls.listVirtualModels, {}, { enabled: isAdmin })
  return (
    <Autocomplete
      label={say('fallbackModel')}
      description={say('fallbackHint')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      required
      data={[...new Set([...virtual.map(({ name }) => name), ...models])]}
      limit={mostListed}
      classNames={{ input: 'mono' }}
      value={value}
      onChange={onChange}
      error={error}
    />
  )
}

const ModelSelect = (props: Props) => {
  const { data = [] } = useEndpoint(calls.getOwnModels)
  return <ModelField {...props} names={data} />
}

const VirtualModelSelect = (props: Props) => {
  const { isAdmin } = useLimitCalls()
  const { data = [] } = useEndpoint(calls.listVirtualModels, {}, { enabled: isAdmin })
  return <ModelField {...props} names={data.map(({ name }) => name)} />
}

const DeadlineSelect = ({ value, onChange, error }: Props) => {
  const say = useLimitMessages()
  return (
    <Select
      label={say('which')}
      placeholder={say('eachOne')}
      clearable
      data={[
        { value: 'with', label: say('withDeadline') },
        { value: 'without', label: say('withoutDeadline') },
      ]}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      error={error}
    />
  )
}

/** Which one of a kind a limit is on; empty for each by itself. */
export const SubjectSelect = ({ kind, ...field }: Props & { kind: LimitSubject }) => {
  const say = useLimitMessages()
  if (kind === 'group') return <GroupSelect {...field} />
  if (kind === 'model') return <ModelSelect {...field} />
  if (kind === 'virtual_model') return <VirtualModelSelect {...field} />
  if (kind === 'deadline') return <DeadlineSelect {...field} />
  if (kind === 'address' || kind === 'end_user' || kind === 'tag') {
    return (
      <TextInput
        label={say('which')}
        placeholder={kind === 'tag' ? 'env=test' : say('eachOne')}
        required={kind === 'tag'}
        classNames={{ input: 'mono' }}
        value={field.value}
        onChange={(event) => field.onChange(event.currentTarget.value)}
        error={field.error}
      />
    )
  }
  return <NumberedSelect key={kind} kind={kind} {...field} />
}
