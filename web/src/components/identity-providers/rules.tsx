import { ActionIcon, Button, NativeSelect, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { calls } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { Icon } from '../display/icon.tsx'
import { FormPart } from '../form/form-part.tsx'
import type { ProviderValues } from './fields.ts'
import classes from './identity-providers.module.css'
import { useProviderMessages } from './messages.ts'
import type { ProviderOwner } from './provider-calls.ts'

type Form = UseFormReturnType<ProviderValues>
interface Named {
  readonly id: number
  readonly name: string
}
const roles = ['member', 'viewer', 'admin', 'billing'] as const

interface RuleProps {
  readonly form: Form
  readonly index: number
  /** Undefined where the organisation is not in question. */
  readonly organisations: readonly Named[] | undefined
  readonly teams: readonly Named[]
}

/** A group, the role that it gives, and where. */
const Rule = ({ form, index, organisations, teams }: RuleProps) => {
  const say = useProviderMessages()
  const { organisation, team } = form.getValues().rules[index] ?? { organisation: '', team: '0' }
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
      {organisations && (
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
      )}
      <NativeSelect
        aria-label={`${say('team')} ${number}`}
        data={[
          { value: '0', label: say('wholeOrganisation') },
          ...teams.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={team}
        onChange={(event) => {
          const next = event.currentTarget.value
          form.setFieldValue(`rules.${index}.team`, next)
          // Teams have no such role.
          if (next !== '0' && form.getValues().rules[index]?.role === 'billing')
            form.setFieldValue(`rules.${index}.role`, 'member')
        }}
      />
      <ActionIcon aria-label={say('removeRule', { number })} onClick={() => form.removeListItem('rules', index)}>
        <Icon name="trash" size={14} />
      </ActionIcon>
    </div>
  )
}

/** A rule of the site: it may be about any organisation, whose teams are read when it is chosen. */
const SiteRule = ({ form, index }: Pick<RuleProps, 'form' | 'index'>) => {
  const organisations = useEndpoint(calls.listSiteOrganisations).data ?? []
  const organisation = form.getValues().rules[index]?.organisation ?? ''
  const { data } = useEndpoint(
    calls.getSiteOrganisation,
    { params: { id: Number(organisation) } },
    { enabled: organisation !== '' },
  )
  return <Rule form={form} index={index} organisations={organisations} teams={data?.teams ?? []} />
}

/** Which groups give which role where. */
export const Rules = ({ form, owner }: { form: Form; owner: ProviderOwner }) => {
  const say = useProviderMessages()
  const ofSite = owner === 'site'
  const known = useEndpoint(calls.listSiteOrganisations, {}, { enabled: ofSite }).data
  const organisations: readonly Named[] | undefined = ofSite ? known : [owner]
  const { rules } = form.getValues()
  const add = (): void =>
    form.insertListItem('rules', {
      value: '',
      organisation: String(organisations?.[0]?.id ?? ''),
      team: '0',
      role: 'member',
    })
  return (
    <FormPart title={say(ofSite ? 'rulesTitle' : 'rulesOwn')}>
      <p className="faint">{organisations?.length === 0 ? say('noOrganisations') : say('rulesText')}</p>
      {rules.map((_, index) => {
        const common = { form, index }
        return ofSite ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name of their own, and are only added at the end
          <SiteRule key={index} {...common} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same
          <Rule key={index} {...common} organisations={undefined} teams={owner.teams} />
        )
      })}
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
    </FormPart>
  )
}
