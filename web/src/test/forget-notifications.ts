import { notifications } from '@mantine/notifications'
import { afterEach } from 'vitest'

// They outlive the page, and only a few are shown at a time: those of earlier tests would make new ones wait, and stand
// beside one that says the same.
afterEach(() => {
  notifications.clean()
  notifications.cleanQueue()
})
