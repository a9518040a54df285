/** The keys of the cache; a shorter one matches all that begin with it. */
export const keys = {
  session: ['session'] as const,
  modules: ['modules'] as const,
  module: (module: string) => ['modules', module] as const,
  /** everything of a module */
  all: (module: string) => [module] as const,
  lists: (module: string) => [module, 'list'] as const,
  list: (module: string, params: object) => [module, 'list', params] as const,
  groupings: (module: string) => [module, 'groups'] as const,
  groups: (module: string, params: object) => [module, 'groups', params] as const,
  records: (module: string) => [module, 'record'] as const,
  record: (module: string, id: string) => [module, 'record', id] as const,
  needed: (module: string, id: string) => ['needed', module, id] as const,
  timeline: (module: string, id: string) => ['timeline', module, id] as const,
  views: (module: string) => ['views', module] as const,
  reports: ['reports'] as const,
  /** settings, by their path in the API */
  settings: ['settings'] as const,
  setting: (path: string, params: object = {}) => ['settings', path, params] as const,
  imports: ['imports'] as const,
  import: (id: string) => ['imports', id] as const,
  home: ['home'] as const,
  notifications: ['notifications'] as const,
}
