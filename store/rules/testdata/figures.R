# Computes the figures of figures.csv with R 4.2, psych 2.2.9, and mvtnorm 1.1-3:
#   cd store/rules/testdata && Rscript figures.R > figures.csv
#
# lsat6.csv and lsat7.csv contain the five questions of sections 6 and 7 of the Law School Admission Test, answered by
# 1,000 persons (Bock and Lieberman 1970). A line is a pattern of answers with its frequency.
# invented.csv is invented: a line is a session, with points and chosen options. Stage 2 has the questions q5 to q7, and
# 13 sessions did not reach it. Everybody is right about q8.
suppressPackageStartupMessages({library(psych); library(mvtnorm)})
z <- qnorm(0.975)

report <- function(name, value) {
  cat(sprintf("%s,%s\n", name, trimws(formatC(as.numeric(value), digits = 15, format = "g"))), sep = "")
}

quietly <- function(expression) {
  sink(nullfile()); on.exit(sink())
  suppressMessages(suppressWarnings(expression))
}

reliability <- function(name, points, score, drop = TRUE) {
  a <- quietly(psych::alpha(points))
  alpha <- a$total$raw_alpha
  k <- a$nvar
  n <- nrow(points)
  distance <- z * sqrt(2 * k / ((k - 1) * (n - 2)))
  report(paste0(name, ".alpha"), alpha)
  report(paste0(name, ".alpha.lower"), 1 - (1 - alpha) * exp(distance))
  report(paste0(name, ".alpha.upper"), 1 - (1 - alpha) * exp(-distance))
  report(paste0(name, ".standardError"), sd(score) * sqrt(1 - alpha))
  # The number of results at which the interval has a width of 0.1, by search.
  width <- function(n) (1 - alpha) * 2 * sinh(z * sqrt(2 * k / ((k - 1) * (n - 2))))
  report(paste0(name, ".resultsNeeded"), ceiling(uniroot(function(n) width(n) - 0.1, c(3, 1e7), tol = 1e-6)$root))
  if (drop) report(paste0(name, ".alphaWithout.", rownames(a$alpha.drop)), a$alpha.drop$raw_alpha)
}

distribution <- function(name, score) {
  report(paste0(name, ".mean"), mean(score))
  report(paste0(name, ".quantile", c(25, 50, 75)), quantile(score, c(0.25, 0.5, 0.75), type = 7))
  report(paste0(name, ".standardDeviation"), sd(score))
  report(paste0(name, ".skewness"), psych::skew(score, type = 3))
}

percent <- function(points, max) floor(100 * points / max * 100 * (1 + 1e-13) + 0.5) / 100

cat("name,value\n")
for (name in c("lsat6", "lsat7")) {
  patterns <- read.csv(paste0(name, ".csv"))
  points <- patterns[rep(seq_len(nrow(patterns)), patterns$count), paste0("q", 1:5)]
  score <- percent(rowSums(points), 5)
  reliability(name, points, score)
  distribution(name, score)
  for (q in names(points)) report(paste0(name, ".discrimination.", q), cor(points[[q]], rowSums(points) - points[[q]]))
}

data <- read.csv("invented.csv", na.strings = NULL)
reached <- data$reached2 == 1
maxPoints <- c(q1 = 2, q2 = 3, q3 = 1, q4 = 5, q8 = 1, q5 = 1, q6 = 4, q7 = 2)
points <- as.data.frame(lapply(data[names(maxPoints)], as.numeric))
points[is.na(points)] <- 0
total <- rowSums(points)
reliability("invented", points, percent(total, sum(maxPoints)))
distribution("invented", percent(total, sum(maxPoints)))
first <- c("q1", "q2", "q3", "q4", "q8")
second <- c("q5", "q6", "q7")
reliability("invented.stage1", points[first], percent(rowSums(points[first]), sum(maxPoints[first])), drop = FALSE)
reliability("invented.stage2", points[reached, second],
  percent(rowSums(points[reached, second]), sum(maxPoints[second])), drop = FALSE)
for (q in setdiff(names(maxPoints), "q8")) {
  with <- if (q %in% second) reached else rep(TRUE, nrow(data))
  report(paste0("invented.discrimination.", q), cor(points[with, q], (total - points[[q]])[with]))
}
for (choice in list(c("q1", "a", "b", "c", "d"), c("q2", "a", "b", "c", "d", "e"), c("q5", "a", "b", "c"),
  c("q7", "a", "b", "c", "d"))) {
  q <- choice[1]
  with <- if (q %in% second) reached else rep(TRUE, nrow(data))
  for (option in choice[-1]) {
    chosen <- as.numeric(grepl(option, data[[paste0(q, "_choice")]], fixed = TRUE))
    r <- cor(chosen[with], (total - points[[q]])[with])
    report(paste0("invented.option.", q, option), r)
    report(paste0("invented.option.", q, option, c(".lower", ".upper")),
      tanh(atanh(r) + c(-1, 1) * z / sqrt(sum(with) - 3)))
  }
}

for (x in list(c(0, 27), c(47, 88), c(9, 201), c(30, 30))) {
  name <- sprintf("rate.%d/%d", x[1], x[2])
  report(name, 100 * x[1] / x[2])
  report(paste0(name, c(".lower", ".upper")), 100 * suppressWarnings(prop.test(x[1], x[2], correct = FALSE))$conf.int)
}
for (x in list(c(47, 88, 70, 98), c(12, 40, 45, 60), c(10, 10, 9, 11))) {
  name <- sprintf("ratio.%d/%d.%d/%d", x[1], x[2], x[3], x[4])
  ratio <- (x[1] / x[2]) / (x[3] / x[4])
  report(name, ratio)
  deviation <- sqrt(1 / x[1] - 1 / x[2] + 1 / x[3] - 1 / x[4])
  report(paste0(name, c(".lower", ".upper")), ratio * exp(c(-1, 1) * z * deviation))
}
score <- percent(total, sum(maxPoints))
a <- score[reached]
b <- score[!reached]
report("difference", mean(a) - mean(b))
report(c("difference.lower", "difference.upper"),
  mean(a) - mean(b) + c(-1, 1) * z * sqrt(var(a) / length(a) + var(b) / length(b)))
report("difference.effectSize", (mean(a) - mean(b)) /
  sqrt(((length(a) - 1) * var(a) + (length(b) - 1) * var(b)) / (length(a) + length(b) - 2)))

for (x in list(c(70, 65, 15, 0.8), c(50, 72, 12, 0.295), c(66.25, 69.2, 16.9, 0.95), c(40, 60, 20, 0),
  c(60, 60, 9, 0.5))) {
  h <- (x[1] - x[2]) / x[3]
  both <- pmvnorm(upper = c(h, h), corr = matrix(c(1, x[4], x[4], 1), 2), algorithm = Miwa(steps = 512))
  p0 <- 2 * both + 1 - 2 * pnorm(h)
  pc <- pnorm(h)^2 + (1 - pnorm(h))^2
  name <- sprintf("consistency.%g.%g.%g.%g", x[1], x[2], x[3], x[4])
  report(paste0(name, ".agreement"), p0)
  report(paste0(name, ".kappa"), (p0 - pc) / (1 - pc))
}

cuts <- c(66.25, 71, 58.5, 69.75)
report("cutScore", mean(cuts))
report("cutScore.standardError", sd(cuts) / sqrt(length(cuts)))
