import { Button, Group, Radio, RadioGroup, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { QuotaInput } from '../../../components/form/quota-input.tsx'
import { UnsavedGuard } from '../../../components/form/unsaved-guard.tsx'
import { calls, type User, type UserSetting } from '../../../lib/api/contract.ts'
import { useAction } from '../../../lib/query.ts'
import { useStatus } from '../../../lib/status.ts'
import classes from '../personal.module.css'
import { changeOf, isHttps, type NoticeValues, noticeValues } from '../setting.ts'
import { useNoticeMessages } from './notice-messages.ts'
import { TestNotice } from './test-notice.tsx'
import { WebhookFields } from './webhook-fields.tsx'

/** In units of currency: 100000, 500000, 1000000 and 5000000 at the default rate. */
const presets = [0.2, 1, 2, 10]

const urlFault = (address: string, say: ReturnType<typeof useNoticeMessages>): string | null => {
  if (address === '') return say('urlMissing')
  return isHttps(address) ? null : say('urlInvalid')
}

const useNoticeForm = (setting: UserSetting) => {
  const say = useNoticeMessages()
  const { quota_per_unit: perUnit } = useStatus()
  return useForm<NoticeValues>({
    initialValues: noticeValues(setting, perUnit),
    validate: {
      threshold: (units) => (units > 0 ? null : say('thresholdLow')),
      url: (url, { way }) => (way === 'webhook' ? urlFault(url.trim(), say) : null),
      address: (address, { way }) =>
        way === 'webhook' || address.trim() === '' || address.includes('@') ? null : say('addressInvalid'),
    },
  })
}

const EmailField = ({ email, form }: { email: string; form: ReturnType<typeof useNoticeForm> }) => {
  const say = useNoticeMessages()
  return (
    <TextInput
      type="email"
      label={say('address')}
      description={email === '' ? say('addressNone') : say('addressHint', { email })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      autoComplete="email"
      {...form.getInputProps('address')}
    />
  )
}

/** How warnings reach the account, and from which balance on. */
export const NoticeForm = ({ user, setting }: { user: User; setting: UserSetting }) => {
  const say = useNoticeMessages()
  const form = useNoticeForm(setting)
  const save = useAction(calls.updateSetting, {
    refresh: [calls.getSelf],
    done: say('saved'),
    onDone: () => form.resetDirty(),
  })
  const values = form.getValues()
  const never = setting.quota_warning_threshold === undefined
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit((sent) => void save.run({ body: changeOf(sent) }))}
    >
      <RadioGroup label={say('way')} {...form.getInputProps('way')}>
        <Group mt={6} gap={20}>
          <Radio value="email" label={say('email')} />
          <Radio value="webhook" label={say('webhook')} />
        </Group>
      </RadioGroup>
      {values.way === 'email' ? (
        <EmailField email={user.email} form={form} />
      ) : (
        <WebhookFields form={form} hasSecret={setting.webhook_secret_set === true} />
      )}
      <QuotaInput
        label={say('threshold')}
        presets={presets}
        {...form.getInputProps('threshold')}
        value={values.threshold}
      />
      <p className={classes.hint}>{say(never ? 'thresholdUnset' : 'thresholdHint')}</p>
      <Group gap={8}>
        <Button type="submit" variant="filled" loading={save.busy} disabled={!form.isDirty() && !never}>
          {say('save')}
        </Button>
        <TestNotice change={() => (form.validate().hasErrors ? undefined : changeOf(form.getValues()))} />
      </Group>
      <UnsavedGuard dirty={form.isDirty()} />
    </form>
  )
}
