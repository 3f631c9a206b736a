import type { TaskOptions } from '../../relay/tasks/ports.ts'
import type { OptionSnapshot } from './snapshot.ts'

/** What operators say about drawings, from the current options. */
export const taskOptions =
  (snapshot: () => OptionSnapshot): (() => TaskOptions) =>
  () => {
    const values = snapshot()
    return {
      notify: values.MjNotifyEnabled,
      accountFilter: values.MjAccountFilterEnabled,
      clearModes: values.MjModeClearEnabled,
      forwardImages: values.MjForwardUrlEnabled,
      needsSuccess: values.MjActionCheckSuccessEnabled,
      serverAddress: values.ServerAddress.replace(/\/+$/, ''),
    }
  }
