import { PasswordInput, SegmentedControl, Switch, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { textPairs } from '../../../components/form/pairs/pairs.ts'
import { type ChannelType, calls } from '../../../lib/api/contract.ts'
import { textIn, useLanguage } from '../../../lib/i18n.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { CostFields } from './cost-fields.tsx'
import { type ChannelValues, fieldOf, keysOf, vertexType } from './fields.ts'
import classes from './form.module.css'
import { useChannelFormMessages } from './form-messages.ts'
import { OverrideField } from './override-field.tsx'
import { PairsField } from './pairs-field.tsx'
import { SettingField } from './setting-field.tsx'

export interface SectionProps {
  form: UseFormReturnType<ChannelValues>
  type: ChannelType | undefined
}

const mappingTemplate = JSON.stringify({ 'gpt-3.5-turbo': 'gpt-3.5-turbo-0125' }, null, 2)
const statusTemplate = JSON.stringify({ 400: '500' }, null, 2)
const headersTemplate = JSON.stringify({ 'X-Tenant': 'one', Authorization: 'Bearer {api_key}' }, null, 2)

/** The address, with a hint where people paste one that already has the version. */
export const AddressField = ({ form, type }: SectionProps) => {
  const say = useChannelFormMessages()
  const language = useLanguage()
  const own = fieldOf(type, 'base_url')
  const { baseUrl } = form.getValues()
  const takesVersion = own?.placeholder?.endsWith('/v1') === true
  const versioned = !takesVersion && /\/v1\/*$/.test(baseUrl.trim())
  const usual = type?.base_url ? say('baseUrlDefault', { url: type.base_url }) : say('baseUrlHint')
  return (
    <div>
      <TextInput
        label={own ? textIn(own.label, language) : say('baseUrl')}
        description={own ? undefined : usual}
        placeholder={own?.placeholder ?? type?.base_url}
        withAsterisk={own?.required ?? false}
        inputMode="url"
        spellCheck={false}
        {...form.getInputProps('baseUrl')}
      />
      {versioned && (
        <p className={classes.warning} role="status">
          {say('v1Warning')}
          <button
            type="button"
            className="text-button"
            onClick={() => form.setFieldValue('baseUrl', baseUrl.trim().replace(/\/v1\/*$/, ''))}
          >
            {say('removeV1')}
          </button>
        </p>
      )}
    </div>
  )
}

/** Note about a channel type, shown before a channel of it is made. */
export const TypeNote = ({ type }: Pick<SectionProps, 'type'>) => {
  const language = useLanguage()
  return type?.note ? (
    <p className={classes.note} role="note">
      {textIn(type.note, language)}
    </p>
  ) : null
}

/** The type's own field, stored in `other`: an API version, a region, an account. */
export const OtherField = ({ form, type }: SectionProps) => {
  const language = useLanguage()
  const field = fieldOf(type, 'other')
  if (!field) return null
  return (
    <Textarea
      label={textIn(field.label, language)}
      placeholder={field.placeholder}
      withAsterisk={field.required ?? false}
      autosize
      minRows={1}
      maxRows={8}
      spellCheck={false}
      {...form.getInputProps('other')}
    />
  )
}

/** One key, or when creating one per line. `hint` shows the ends of the stored one. */
export const KeyField = ({ form, type, hint }: SectionProps & { hint: string | undefined }) => {
  const say = useChannelFormMessages()
  const language = useLanguage()
  const { batch, key, together } = form.getValues()
  const creating = hint === undefined
  const isDocument = type?.type === vertexType
  const common = {
    label: say('key'),
    placeholder: type ? textIn(type.key_hint, language) : '',
    description: creating ? undefined : say(hint.includes(' ') ? 'keyReplace' : 'keyKeep', { hint }),
    withAsterisk: creating && type?.key_optional !== true,
    ...form.getInputProps('key'),
  }
  return (
    <>
      {creating && !isDocument && (
        <Switch
          label={say('batch')}
          description={
            batch ? say(together ? 'keyCountTogether' : 'keyCount', { count: keysOf(key).length }) : say('batchHint')
          }
          {...form.getInputProps('batch', { type: 'checkbox' })}
        />
      )}
      {creating && batch && !isDocument && (
        <SegmentedControl
          fullWidth
          aria-label={say('batchInto')}
          data={[
            { value: 'each', label: say('batchEach') },
            { value: 'together', label: say('batchTogether') },
          ]}
          value={together ? 'together' : 'each'}
          onChange={(value) => form.setFieldValue('together', value === 'together')}
        />
      )}
      {batch || isDocument ? (
        <Textarea
          {...common}
          autosize
          minRows={isDocument ? 10 : 4}
          maxRows={16}
          spellCheck={false}
          classNames={{ input: 'mono' }}
        />
      ) : (
        <PasswordInput {...common} autoComplete="new-password" classNames={{ innerInput: 'mono' }} />
      )}
    </>
  )
}

/** Groups that may use the channel, and its share of the traffic. */
export const RoutingFields = ({ form }: SectionProps) => {
  const say = useChannelFormMessages()
  const { data: groups } = useEndpoint(calls.listGroups)
  return (
    <>
      <TagsInput
        label={say('groups')}
        description={say('groupsHint')}
        placeholder={say('groupsPlaceholder')}
        data={groups ?? []}
        {...form.getInputProps('groups')}
      />
      <div className={classes.pair}>
        <TextInput
          label={say('priority')}
          description={say('priorityHint')}
          inputMode="numeric"
          {...form.getInputProps('priority')}
        />
        <TextInput
          label={say('weight')}
          description={say('weightHint')}
          inputMode="numeric"
          {...form.getInputProps('weight')}
        />
      </div>
      <TextInput label={say('tag')} {...form.getInputProps('tag')} />
      <TextInput
        label={say('maxInput')}
        description={say('maxInputHint')}
        inputMode="numeric"
        {...form.getInputProps('maxInput')}
      />
      <Switch
        label={say('autoBan')}
        description={say('autoBanHint')}
        {...form.getInputProps('autoBan', { type: 'checkbox' })}
      />
    </>
  )
}

/**
 * The names by which models are asked for and their names upstream. Once the provider's models were read, a name that it does not
 * offer is said before anything is saved; so is a redirected name that the channel has not among its models.
 */
export const MappingField = ({ form, read }: Pick<SectionProps, 'form'> & { read: readonly string[] | undefined }) => {
  const say = useChannelFormMessages()
  const { models, mapping } = form.getValues()
  return (
    <PairsField
      {...form.getInputProps('mapping')}
      value={mapping}
      label={say('mapping')}
      description={say('mappingHint')}
      template={mappingTemplate}
      form={textPairs}
      names={[say('requestedModel'), say('upstreamModel')]}
      suggested={[models, read ?? models]}
      doubt={(name, target) => {
        if (name !== '' && !models.includes(name)) return say('mappingUnused', { name })
        return target !== '' && read && !read.includes(target) ? say('mappingNotOffered', { name: target }) : undefined
      }}
    />
  )
}

/** Rarely needed settings. */
export const AdvancedFields = ({ form, type }: SectionProps) => {
  const say = useChannelFormMessages()
  const language = useLanguage()
  const organization = fieldOf(type, 'openai_organization')
  return (
    <>
      <SettingField type={type} {...form.getInputProps('setting')} value={form.getValues().setting} />
      <CostFields form={form} />
      <OverrideField
        {...form.getInputProps('override')}
        value={form.getValues().override}
        model={form.getValues().models[0] ?? 'gpt-4o'}
      />
      <PairsField
        {...form.getInputProps('headers')}
        value={form.getValues().headers}
        label={say('headers')}
        description={say('headersHint')}
        template={headersTemplate}
        form={textPairs}
        names={[say('headerName'), say('pairValue')]}
      />
      <PairsField
        {...form.getInputProps('statusMapping')}
        value={form.getValues().statusMapping}
        label={say('statusMapping')}
        description={say('statusMappingHint')}
        template={statusTemplate}
        form={textPairs}
        names={[say('statusFrom'), say('statusTo')]}
      />
      {organization && (
        <TextInput
          label={textIn(organization.label, language)}
          placeholder={organization.placeholder}
          {...form.getInputProps('organization')}
        />
      )}
    </>
  )
}
