import { type Permissions, type ReadySetName, staffAreas } from './permissions.ts'

/** Ready sets of permissions. An auditor reads every area, also those that come later. */
export const readySets: Readonly<Record<ReadySetName, Permissions>> = {
  auditor: Object.fromEntries(staffAreas.map((area) => [area, 'read'])),
  support: {
    users: 'write',
    channels: 'read',
    models: 'read',
    billing: 'read',
    logs: 'read',
    limits: 'read',
    organisations: 'read',
  },
  billing: { billing: 'write', users: 'read', models: 'read', logs: 'read', organisations: 'read', audit: 'read' },
  channel_operator: { channels: 'write', models: 'write', logs: 'read', limits: 'read', settings: 'read' },
}
