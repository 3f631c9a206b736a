import { NativeSelect, PasswordInput, Switch, Textarea, TextInput, type TextInputProps } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import type { IdentityProvider } from '../../lib/api/contract.ts'
import { useAction } from '../../lib/query.ts'
import { FormDrawer } from '../form/form-drawer.tsx'
import { FieldPair, FormPart } from '../form/form-part.tsx'
import { Addresses } from './addresses.tsx'
import { ConnectionTest } from './connection-test.tsx'
import { bodyOf, type ProviderValues, presets, presetValues, providerRules } from './fields.ts'
import { useProviderMessages } from './messages.ts'
import { MetadataField } from './metadata-field.tsx'
import { type ProviderOwner, providerLists, saveProvider } from './provider-calls.ts'
import { Rules } from './rules.tsx'

type Form = UseFormReturnType<ProviderValues>
const width = 640
/** Fields side by side stay on one line whatever their hints are. */
const hintBelow = { inputWrapperOrder: ['label', 'input', 'description', 'error'] } as const satisfies Pick<
  TextInputProps,
  'inputWrapperOrder'
>

const What = ({ form, isNew, ofOrganisation }: { form: Form; isNew: boolean; ofOrganisation: boolean }) => {
  const say = useProviderMessages()
  return (
    <FormPart title={say('whatTitle')}>
      {isNew && (
        <NativeSelect
          label={say('preset')}
          data={presets.map((value) => ({ value, label: say(`preset_${value}`) }))}
          value={form.getValues().preset}
          onChange={(event) => {
            const preset = presets.find((one) => one === event.currentTarget.value) ?? 'oidc'
            form.setValues({ ...presetValues(preset), ...(ofOrganisation && { slug: form.getValues().slug }) })
          }}
        />
      )}
      <FieldPair>
        <TextInput
          {...hintBelow}
          label={say('name')}
          description={ofOrganisation ? undefined : say('nameHint')}
          required
          {...form.getInputProps('name')}
        />
        <TextInput
          {...hintBelow}
          label={say('slug')}
          description={say('slugHint')}
          required
          classNames={{ input: 'mono' }}
          {...form.getInputProps('slug')}
        />
      </FieldPair>
      <Switch label={say('enabled')} {...form.getInputProps('enabled', { type: 'checkbox' })} />
    </FormPart>
  )
}

const OidcFields = ({ form, hasSecret }: { form: Form; hasSecret: boolean }) => {
  const say = useProviderMessages()
  const isMicrosoft = form.getValues().issuer.includes('TENANT')
  return (
    <>
      <TextInput
        label={say('issuer')}
        description={say(isMicrosoft ? 'tenantHint' : 'issuerHint')}
        required
        {...form.getInputProps('issuer')}
      />
      <FieldPair>
        <TextInput label={say('clientId')} required autoComplete="off" {...form.getInputProps('clientId')} />
        <PasswordInput
          label={say('clientSecret')}
          placeholder={hasSecret ? say('secretKept') : ''}
          autoComplete="new-password"
          {...form.getInputProps('clientSecret')}
        />
      </FieldPair>
      <FieldPair>
        <TextInput label={say('scopes')} {...form.getInputProps('scopes')} />
        <TextInput
          {...hintBelow}
          label={say('groupsClaim')}
          description={say('groupsHint')}
          {...form.getInputProps('groupsClaim')}
        />
      </FieldPair>
      <Switch
        label={say('signsOut')}
        description={say('signsOutHint')}
        {...form.getInputProps('signsOut', { type: 'checkbox' })}
      />
    </>
  )
}

const SamlFields = ({ form }: { form: Form }) => {
  const say = useProviderMessages()
  return (
    <>
      <MetadataField onRead={(found) => form.setValues(found)} />
      <TextInput label={say('entityId')} required {...form.getInputProps('issuer')} />
      <TextInput label={say('signInUrl')} required {...form.getInputProps('signInUrl')} />
      <TextInput label={say('logoutUrl')} description={say('logoutUrlHint')} {...form.getInputProps('logoutUrl')} />
      <Textarea
        label={say('certificates')}
        description={say('certificatesHint')}
        required
        rows={4}
        classNames={{ input: 'mono' }}
        {...form.getInputProps('certificates')}
      />
      <FieldPair>
        <TextInput
          {...hintBelow}
          label={say('emailAttribute')}
          description={say('emailAttributeHint')}
          {...form.getInputProps('emailAttribute')}
        />
        <TextInput label={say('nameAttribute')} {...form.getInputProps('nameAttribute')} />
        <TextInput label={say('groupsAttribute')} {...form.getInputProps('groupsAttribute')} />
      </FieldPair>
      <Switch
        label={say('signsRequests')}
        description={say('signsRequestsHint')}
        {...form.getInputProps('signsRequests', { type: 'checkbox' })}
      />
      <Switch
        label={say('idpInitiated')}
        description={say('idpInitiatedHint')}
        {...form.getInputProps('idpInitiated', { type: 'checkbox' })}
      />
    </>
  )
}

/** The one domain for which an organisation can enforce its provider, and what is missing before it can. */
const EnforceOwn = ({ form, provider, provedDomain }: PeopleProps & { readonly provedDomain: string }) => {
  const say = useProviderMessages()
  if (provedDomain === '') return <p className="faint">{say('enforceNeedsProof')}</p>
  const works = (provider?.owner_sign_in_time ?? 0) > 0
  return (
    <Switch
      label={say('enforceOwn', { domain: provedDomain })}
      description={say(works ? 'enforceOwnHint' : 'enforceNeedsSignIn')}
      disabled={!works}
      {...form.getInputProps('enforced', { type: 'checkbox' })}
    />
  )
}

interface PeopleProps {
  readonly form: Form
  readonly provider: IdentityProvider | undefined
  /** Of an organisation; undefined for the site. */
  readonly provedDomain: string | undefined
}

/** Users who may sign in. Only providers of the site list the domains that they vouch for. */
const People = (props: PeopleProps) => {
  const { form, provedDomain } = props
  const say = useProviderMessages()
  return (
    <FormPart title={say('peopleTitle')}>
      <Switch
        label={say('signUp')}
        description={say('signUpHint')}
        {...form.getInputProps('signUp', { type: 'checkbox' })}
      />
      {provedDomain !== undefined ? (
        <EnforceOwn {...props} provedDomain={provedDomain} />
      ) : (
        <>
          <TextInput
            label={say('domains')}
            description={say('domainsHint')}
            placeholder="example.com"
            {...form.getInputProps('domains')}
          />
          <Switch
            label={say('enforce')}
            description={say('enforceHint')}
            {...form.getInputProps('enforced', { type: 'checkbox' })}
          />
        </>
      )}
    </FormPart>
  )
}

interface FormProps {
  /** undefined for a new one. */
  readonly provider: IdentityProvider | undefined
  readonly initial: ProviderValues
  readonly owner: ProviderOwner
  /** The domain that an organisation proved by its DNS, empty without one; undefined for the site. */
  readonly provedDomain?: string
  readonly onClose: () => void
}

/** Adds an identity provider of the site or of an organisation, or changes one. */
export const ProviderForm = ({ provider, initial, owner, provedDomain, onClose }: FormProps) => {
  const say = useProviderMessages()
  const ofOrganisation = owner !== 'site'
  const form = useForm<ProviderValues>({ initialValues: initial, validate: providerRules(say, ofOrganisation) })
  const { preset, slug } = form.getValues()
  const save = useAction((entered: ProviderValues) => saveProvider(owner, provider?.id, bodyOf(entered)), {
    done: ({ name }) => say('saved', { name }),
    refresh: providerLists,
  })
  return (
    <FormDrawer
      title={say(provider === undefined ? 'createTitle' : 'editTitle')}
      subtitle={provider?.name}
      form={form}
      submitLabel={say('save')}
      width={width}
      onClose={onClose}
      onSubmit={save.submit}
    >
      <What form={form} isNew={provider === undefined} ofOrganisation={ofOrganisation} />
      <Addresses preset={preset} slug={slug} ofOrganisation={ofOrganisation} />
      <FormPart title={say('connectTitle')}>
        {preset === 'saml' ? (
          <SamlFields form={form} />
        ) : (
          <OidcFields form={form} hasSecret={provider?.has_secret === true} />
        )}
        <ConnectionTest form={form} owner={owner} />
      </FormPart>
      <People form={form} provider={provider} provedDomain={provedDomain} />
      <Rules form={form} owner={owner} />
    </FormDrawer>
  )
}
