import { NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { FormDrawer } from '../../../components/form/form-drawer.tsx'
import { calls } from '../../../lib/api/contract.ts'
import { useAction } from '../../../lib/query.ts'
import { useNamedTokenMessages } from './messages.ts'
import { type Levels, ScopeFields, scopesOf } from './scope-fields.tsx'

const lifetimes = ['7', '30', '90', '365', 'never'] as const
type Lifetime = (typeof lifetimes)[number]
const daySeconds = 86_400

interface Values {
  name: string
  lifetime: Lifetime
  kind: 'some' | 'all'
  levels: Levels
}

const longestName = 50

const expiryOf = (lifetime: Lifetime): number =>
  lifetime === 'never' ? 0 : Math.floor(Date.now() / 1000) + Number(lifetime) * daySeconds

interface MakeTokenProps {
  onClose: () => void
  onMade: (made: { name: string; token: string }) => void
}

/** Makes a named access token: what it may, and for how long. */
export const MakeToken = ({ onClose, onMade }: MakeTokenProps) => {
  const say = useNamedTokenMessages()
  const make = useAction(calls.makeNamedAccessToken, {
    refresh: [calls.listAccessTokens],
    onDone: ({ name, token }) => onMade({ name, token }),
  })
  const initialValues: Values = { name: '', lifetime: '90', kind: 'some', levels: {} }
  const form = useForm({
    initialValues,
    validate: {
      name: (name) => (name.trim() === '' ? say('nameMissing') : null),
      levels: (levels, { kind }) => (kind === 'some' && scopesOf(levels).length === 0 ? say('scopesMissing') : null),
    },
  })
  const { kind, levels } = form.getValues()
  return (
    <FormDrawer
      title={say('make')}
      form={form}
      submitLabel={say('makeIt')}
      onClose={onClose}
      onSubmit={({ name, lifetime, ...chosen }) =>
        make.submit({
          body: {
            name: name.trim(),
            scopes: chosen.kind === 'all' ? ['all'] : scopesOf(chosen.levels),
            expires_time: expiryOf(lifetime),
          },
        })
      }
    >
      <TextInput
        label={say('name')}
        description={say('nameHint')}
        required
        maxLength={longestName}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <NativeSelect
        label={say('lifetime')}
        data={lifetimes.map((value) => ({
          value,
          label: value === 'never' ? say('never') : say('days', { count: Number(value) }),
        }))}
        {...form.getInputProps('lifetime')}
      />
      <NativeSelect
        label={say('may')}
        description={say(`${kind}Hint`)}
        data={(['some', 'all'] as const).map((value) => ({ value, label: say(value) }))}
        value={kind}
        onChange={({ currentTarget }) => form.setFieldValue('kind', currentTarget.value === 'all' ? 'all' : 'some')}
        {...(form.errors.levels ? { error: form.errors.levels } : {})}
      />
      {kind === 'some' && <ScopeFields levels={levels} onChange={(value) => form.setFieldValue('levels', value)} />}
    </FormDrawer>
  )
}
