import { Switch } from '@mantine/core'
import { useState } from 'react'
import { ConfirmAction } from '../../components/form/confirm-action.tsx'
import { Section } from '../../components/panel-section.tsx'
import { calls, type User } from '../../lib/api/contract.ts'
import { useAction } from '../../lib/query.ts'
import { useNoticeMessages } from './notices/notice-messages.ts'
import { settingOf } from './setting.ts'

/** Switch that allows calls of models without a price. They may be expensive, so the console asks before turning it on. */
export const PriceAcceptance = ({ user }: { user: User | undefined }) => {
  const say = useNoticeMessages()
  const [asking, setAsking] = useState(false)
  const accepts = settingOf(user?.setting ?? '').accept_unset_model_ratio_model === true
  const save = useAction(calls.updateSetting, {
    refresh: [calls.getSelf],
    done: say(accepts ? 'declined' : 'accepted'),
  })
  const bodyOf = (accept: boolean) => ({ body: { accept_unset_model_ratio_model: accept } })
  return (
    <Section id="prices" title={say('prices')}>
      <Switch
        label={say('accept')}
        description={say('acceptHint')}
        checked={accepts}
        disabled={!user || save.busy}
        onChange={(event) => {
          if (event.currentTarget.checked) setAsking(true)
          else void save.run(bodyOf(false))
        }}
      />
      <ConfirmAction
        opened={asking}
        onClose={() => setAsking(false)}
        title={say('acceptConfirm')}
        effect={say('acceptEffect')}
        confirmLabel={say('acceptDo')}
        onConfirm={() => save.submit(bodyOf(true))}
        danger
      />
    </Section>
  )
}
