import { ActionIcon, Button, NativeSelect, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { Icon } from '../../components/display/icon.tsx'
import { calls } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import type { ProviderValues } from './fields.ts'
import classes from './identity-providers.module.css'
import { useProviderMessages } from './messages.ts'

type Form = UseFormReturnType<ProviderValues>
const roles = ['member', 'viewer', 'admin', 'billing'] as const

const Rule = ({ form, index }: { form: Form; index: number }) => {
  const say = useProviderMessages()
  const organisations = useEndpoint(calls.listSiteOrganisations).data ?? []
  const { organisation, team } = form.getValues().rules[index] ?? { organisation: '', team: '0' }
  const teams = useEndpoint(
    calls.getSiteOrganisation,
    { params: { id: Number(organisation) } },
    { enabled: organisation !== '' },
  ).data?.teams
  const number = index + 1
  return (
    <div className={classes.rule}>
      <TextInput
        aria-label={`${say('ruleValue')} ${number}`}
        placeholder={say('ruleValue')}
        {...form.getInputProps(`rules.${index}.value`)}
      />
      <NativeSelect
        aria-label={`${say('role')} ${number}`}
        data={roles.flatMap((role) =>
          role === 'billing' && team !== '0' ? [] : [{ value: role, label: say(`role_${role}`) }],
        )}
        {...form.getInputProps(`rules.${index}.role`)}
      />
      <NativeSelect
        aria-label={`${say('organisation')} ${number}`}
        data={[
          { value: '', label: say('organisation') },
          ...organisations.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={organisation}
        error={form.getInputProps(`rules.${index}.organisation`).error}
        onChange={(event) => {
          form.setFieldValue(`rules.${index}.organisation`, event.currentTarget.value)
          form.setFieldValue(`rules.${index}.team`, '0')
        }}
      />
      <NativeSelect
        aria-label={`${say('team')} ${number}`}
        data={[
          { value: '0', label: say('wholeOrganisation') },
          ...(teams ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        {...form.getInputProps(`rules.${index}.team`)}
      />
      <ActionIcon aria-label={say('removeRule', { number })} onClick={() => form.removeListItem('rules', index)}>
        <Icon name="trash" size={14} />
      </ActionIcon>
    </div>
  )
}

/** Which groups give which role where. */
export const Rules = ({ form }: { form: Form }) => {
  const say = useProviderMessages()
  const organisations = useEndpoint(calls.listSiteOrganisations).data
  const { rules } = form.getValues()
  const add = (): void =>
    form.insertListItem('rules', {
      value: '',
      organisation: String(organisations?.[0]?.id ?? ''),
      team: '0',
      role: 'member',
    })
  return (
    <fieldset className={classes.part}>
      <legend>{say('rulesTitle')}</legend>
      <p className="faint">{organisations?.length === 0 ? say('noOrganisations') : say('rulesText')}</p>
      {rules.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name of their own, and are only added at the end
        <Rule key={index} form={form} index={index} />
      ))}
      <div>
        <Button disabled={(organisations ?? []).length === 0} onClick={add}>
          {say('addRule')}
        </Button>
      </div>
      {rules.length > 0 && (
        <Switch
          label={say('replacesManual')}
          description={say('replacesManualHint')}
          {...form.getInputProps('replacesManual', { type: 'checkbox' })}
        />
      )}
    </fieldset>
  )
}
