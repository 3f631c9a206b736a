import { Switch } from '@mantine/core'
import { useState } from 'react'
import { JsonField } from '../../../../components/form/json-field.tsx'
import { useChannelFormMessages } from '../form-messages.ts'
import { useChannelForm } from '../form-parts.tsx'
import { readObject } from '../json-text.ts'
import { settingProblem } from '../rules.ts'

/** All settings as JSON, behind a switch: the inputs of the tabs show and write the same text. Text that is no object stays in sight. */
export const SettingJson = () => {
  const say = useChannelFormMessages()
  const { form } = useChannelForm()
  const { setting } = form.getValues()
  const [asJson, setAsJson] = useState(false)
  // A refusal that no input shows, e.g. of a name that nothing reads.
  const isRefused = Boolean(form.errors.setting) && settingProblem(setting, say) === undefined
  const isBroken = readObject(setting) === undefined || isRefused
  return (
    <>
      <Switch
        label={say('settingAsJson')}
        description={say('settingAsJsonHint')}
        checked={asJson || isBroken}
        disabled={isBroken}
        onChange={(event) => setAsJson(event.currentTarget.checked)}
      />
      {(asJson || isBroken) && <JsonField label={say('setting')} {...form.getInputProps('setting')} value={setting} />}
    </>
  )
}
