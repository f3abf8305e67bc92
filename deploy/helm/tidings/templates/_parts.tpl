{{- define "tidings.name" -}}
{{- if contains "tidings" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-tidings" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "tidings.selector" -}}
app.kubernetes.io/name: tidings
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tidings.labels" -}}
{{ include "tidings.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "tidings.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* What all pods have in common, the migration's too. */}}
{{- define "tidings.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- end }}

{{- define "tidings.container" -}}
image: {{ include "tidings.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
envFrom:
  - secretRef:
      name: {{ .Values.existingSecret }}
{{- end }}

{{- define "tidings.env" -}}
- name: PUBLIC_URL
  value: {{ .Values.publicUrl | quote }}
{{- range $name, $value := .Values.env }}
- name: {{ $name }}
  value: {{ if kindIs "float64" $value }}{{ $value | int64 | toString | quote }}{{ else }}{{ $value | toString | quote }}{{ end }}
{{- end }}
{{- end }}

{{/* The variables that the chart itself gives, which must not be said twice. */}}
{{- define "tidings.checked" -}}
{{- range list "PUBLIC_URL" "ROLES" "PORT" "HOST" "OPERATIONS_HOST" "OPERATIONS_PORT" "DATA_DIR" }}
{{- if hasKey $.Values.env . }}{{ fail (printf "env.%s: the chart sets this variable itself" .) }}{{ end }}
{{- end }}
{{- range list "DATABASE_URL" "DATABASE_DIRECT_URL" "ENCRYPTION_KEY" "MEDIA_S3_SECRET_ACCESS_KEY" "BOOTSTRAP_ADMIN_PASSWORD" "BOOTSTRAP_SECRET_KEY" }}
{{- if hasKey $.Values.env . }}{{ fail (printf "env.%s: it is secret, and belongs into the secret that existingSecret names" .) }}{{ end }}
{{- end }}
{{- if not (or .Values.media.existingClaim .Values.media.ephemeral (hasKey .Values.env "MEDIA_S3_BUCKET")) }}
{{- fail "images would be lost with their pod: set env.MEDIA_S3_BUCKET or media.existingClaim, or media.ephemeral if nobody uploads any" }}
{{- end }}
{{- end }}
