import { Skeleton } from '@mantine/core'
import { Section } from '../../../components/panel-section.tsx'
import type { User } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { settingOf } from '../setting.ts'
import { useNoticeMessages } from './notice-messages.ts'
import classes from './notices.module.css'

const Waiting = () => <Skeleton className={classes.waiting} />
const NoticeForm = onDemand(async () => (await import('./notice-form.tsx')).NoticeForm, Waiting)

/** The ways in which the account is notified that its quota runs out. */
export const NoticeSettings = ({ user }: { user: User | undefined }) => {
  const say = useNoticeMessages()
  const setting = user && settingOf(user.setting)
  // Other stored settings do not concern this form: edits must survive their changes.
  const { accept_unset_model_ratio_model: _, ...own } = setting ?? {}
  return (
    <Section id="notices" title={say('title')}>
      {user && setting ? <NoticeForm key={JSON.stringify(own)} user={user} setting={setting} /> : <Waiting />}
    </Section>
  )
}
