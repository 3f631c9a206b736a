import type { SiteCard, SiteCardRule } from '@tollgate/contract/records/site-cards'
import type { Config } from '../config/config.ts'
import type { BackupRun, BackupRuns } from './backup-runs.ts'

/** A backup is late after so many of its periods: one that is being written, or a server that was down, is no news. */
const latePeriods = 2
const hourSeconds = 3_600
const daySeconds = 86_400

/** The facts about the site and its last backups. */
const page = {
  button: { zh: '系统信息', en: 'System information' },
  path: '/setting/other',
}

const failedCard = (
  { time, place, detail }: BackupRun,
  failures: number,
  written: BackupRun | undefined,
): SiteCard => ({
  severity: 'bad',
  about: [],
  at: time,
  reason: detail,
  words: {
    ...page,
    fact:
      written === undefined
        ? {
            text: {
              zh: '备份失败（{{failures}} 次），尚无备份',
              en: 'Backups fail ({{failures}}×), and there is none yet',
            },
            values: { failures: { count: failures } },
          }
        : {
            text: {
              zh: '备份失败（{{failures}} 次），上次备份于 {{time}}',
              en: 'Backups fail ({{failures}}×), the last one is of {{time}}',
            },
            values: { failures: { count: failures }, time: { moment: written.time } },
          },
    consequence: {
      text: {
        zh: '位置：{{place}}。每十分钟重试一次。',
        en: 'Destination: {{place}}. It is retried every ten minutes.',
      },
      values: { place },
    },
  },
})

const lateCard = ({ time, place }: BackupRun, now: number): SiteCard => ({
  severity: 'warn',
  about: [],
  at: time,
  reason: '',
  words: {
    ...page,
    fact: {
      text: { zh: '已有 {{days}} 天没有备份', en: 'No backup for {{days}} days' },
      values: { days: { count: Math.floor((now - time) / daySeconds) } },
    },
    consequence: {
      text: { zh: '位置：{{place}}。', en: 'Destination: {{place}}.' },
      values: { place },
    },
  },
})

/** Rules about the backups that the server writes; none where it writes none. */
export const backupCards = ({ to, everyHours }: Config['backups'], runs: BackupRuns): readonly SiteCardRule[] => {
  if (to === undefined) return []
  const lateSeconds = Math.max(latePeriods * everyHours * hourSeconds, latePeriods * daySeconds)
  return [
    {
      name: 'backup_failed',
      area: 'settings',
      isNoticed: true,
      async read() {
        const { failed, failures, written } = await runs.last()
        return failed === undefined ? [] : [failedCard(failed, failures, written)]
      },
    },
    {
      name: 'backup_late',
      area: 'settings',
      async read(now) {
        const { failed, written } = await runs.last()
        if (failed !== undefined || written === undefined || now - written.time < lateSeconds) return []
        return [lateCard(written, now)]
      },
    },
  ]
}
